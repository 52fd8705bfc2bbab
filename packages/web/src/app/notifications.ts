import { shownName } from '../conversation/author.ts';
import { concernsReader } from '../conversation/mentions.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';
import { quoteIn } from '../conversation/reply-target.ts';
import { CleanUp } from '../lib/clean-up.ts';
import type { Attention, Notice } from './attention.ts';
import { announceMentions } from './announce-mentions.ts';
import { notificationBody } from './notification-body.ts';
import type { AppState } from './state.ts';

/** One notification for each conversation, so that they do not pile up. */
const TAG = 'hearth-lobby';

/** The parts of the page with which messages are announced. */
type Announced = Pick<AppState, 'settings' | 'texts'> & {
  readonly communities: Pick<AppState['communities'], 'mention'>;
  readonly accounts: Pick<AppState['accounts'], 'name'>;
  readonly attachments: Pick<AppState['attachments'], 'split'>;
  readonly instance: Pick<AppState['instance'], 'info'>;
  readonly lobby: Pick<AppState['lobby'], 'addressOf'> & {
    readonly messages: Pick<AppState['lobby']['messages'], 'onMessage' | 'onRemoval'>;
  };
};

/** Announces new messages while the page is hidden, if the reader wants that; returns a function that stops it. */
export function startNotifications(state: Announced, attention: Attention): () => void {
  const { settings, lobby } = state;
  const cleanUp = new CleanUp();
  /** The messages that the reader has not seen since the first notification. */
  const announced = new Set<string>();
  /** The one that the notification shows. */
  let newest: string | undefined;
  let done = Promise.resolve();
  let wasOn = settings.sound.peek();
  const next = (step: () => Promise<void>) => {
    // What the browser does not show is in the page.
    done = done.then(step).catch(() => {});
  };
  const look = () => {
    if (attention.isHidden() || announced.size === 0) return;
    announced.clear();
    newest = undefined;
    next(() => attention.closeNotification(TAG));
  };
  const announce = (message: MessageEntry) => {
    if (!attention.isHidden() || message.isOwn || !isWanted(state, message)) return;
    if (settings.sound.peek()) attention.playSound();
    if (!settings.notifications.peek() || !attention.mayNotify()) return;
    const { key } = message;
    announced.add(key);
    newest = key;
    const notice = notificationOf(state, message, announced.size);
    next(async () => {
      if (newest === key) await attention.notify(notice);
    });
  };
  const withdraw = ({ key }: MessageEntry) => {
    announced.delete(key);
    if (newest !== key) return;
    newest = undefined;
    next(() => attention.closeNotification(TAG));
  };
  cleanUp.defer(announceMentions(state, attention));
  cleanUp.defer(attention.onLook(look));
  cleanUp.defer(lobby.messages.onMessage(announce));
  cleanUp.defer(lobby.messages.onRemoval(withdraw));
  cleanUp.defer(
    settings.sound.subscribe((isOn) => {
      if (isOn && !wasOn) attention.playSound();
      wasOn = isOn;
    }),
  );
  return () => cleanUp.dispose();
}

function isWanted({ settings, accounts, lobby }: Announced, { content }: MessageEntry): boolean {
  if (!settings.mentionsOnly.peek()) return true;
  return concernsReader(content, quoteIn(lobby, content), accounts.name.peek());
}

function notificationOf(
  { texts, attachments, instance }: Announced,
  { author, content }: MessageEntry,
  count: number,
): Notice {
  const words = texts.catalogue.peek().shell.notification;
  const body = notificationBody(attachments.split(content), words);
  const name = shownName(author);
  const server = instance.info.instance_name;
  const many = words.newMessages(texts.formats.peek().count(count));
  return {
    title: count === 1 ? `${name} · ${server}` : `${many} · ${server}`,
    options: {
      body: count === 1 ? body : `${name}: ${body}`,
      tag: TAG,
      lang: texts.language.peek(),
    },
  };
}
