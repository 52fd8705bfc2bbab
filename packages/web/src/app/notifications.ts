import { plainTextOf } from '@hearth/sdk';
import type { Attachments } from '../conversation/attachments/attachments.ts';
import { shownName } from '../conversation/author.ts';
import { concernsReader } from '../conversation/mentions.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';
import { quoteIn } from '../conversation/reply-target.ts';
import { CleanUp } from '../lib/clean-up.ts';
import { notificationPermission } from '../settings/notification-permission.ts';
import { Sound } from '../settings/sound.ts';
import type { AppState } from './state.ts';

const MOST_CHARACTERS = 200;

/** One notification for each conversation, so that they do not pile up. */
const TAG = 'hearth-lobby';

/** The text of a notification for a message: its words, or what it has in their place. */
export function notificationBody(
  { text, ids }: ReturnType<Attachments['split']>,
  words: { readonly file: string; readonly newMessage: string },
): string {
  const plain = plainTextOf(text) || (ids.length > 0 ? words.file : words.newMessage);
  return plain.length > MOST_CHARACTERS
    ? `${plain.slice(0, MOST_CHARACTERS)}…`.toWellFormed()
    : plain;
}

/** How the browser gets the attention of a reader who looks elsewhere. */
export interface Attention {
  readonly isHidden: () => boolean;
  /** Calls `listener` when the reader looks at the page or away; returns a function that stops it. */
  readonly onLook: (listener: () => void) => () => void;
  readonly playSound: () => void;
  readonly mayNotify: () => boolean;
  /** Shows a notification in place of the one before it. */
  readonly notify: (title: string, options: NotificationOptions) => Promise<void>;
  readonly closeNotification: () => Promise<void>;
}

/** What is announced, and how. */
type Announced = Pick<AppState, 'settings' | 'texts'> & {
  readonly accounts: Pick<AppState['accounts'], 'name'>;
  readonly attachments: Pick<AppState['attachments'], 'split'>;
  readonly instance: Pick<AppState['instance'], 'info'>;
  readonly lobby: Pick<AppState['lobby'], 'addressOf'> & {
    readonly messages: Pick<AppState['lobby']['messages'], 'onMessage' | 'onRemoval'>;
  };
};

/** Announces new messages while the page is hidden, if the reader wants that; returns a function that stops it. */
export function startNotifications(
  state: Announced,
  attention: Attention = attentionOfBrowser(),
): () => void {
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
    next(attention.closeNotification);
  };
  const announce = (message: MessageEntry) => {
    if (!attention.isHidden() || message.isOwn || !isWanted(state, message)) return;
    if (settings.sound.peek()) attention.playSound();
    if (!settings.notifications.peek() || !attention.mayNotify()) return;
    const { key } = message;
    announced.add(key);
    newest = key;
    const { title, options } = notificationOf(state, message, announced.size);
    next(async () => {
      if (newest === key) await attention.notify(title, options);
    });
  };
  const withdraw = ({ key }: MessageEntry) => {
    announced.delete(key);
    if (newest !== key) return;
    newest = undefined;
    next(attention.closeNotification);
  };
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

interface NotificationText {
  readonly title: string;
  readonly options: NotificationOptions;
}

function notificationOf(
  { texts, attachments, instance }: Announced,
  { author, content }: MessageEntry,
  count: number,
): NotificationText {
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

function attentionOfBrowser(): Attention {
  const sound = new Sound();
  /** The notification that the page shows without a service worker. */
  let shown: Notification | undefined;
  return {
    isHidden: () => document.hidden,
    onLook(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    playSound: () => sound.play(),
    mayNotify: () => notificationPermission() === 'granted',
    async notify(title, withoutIcon) {
      const options = { ...withoutIcon, icon: new URL('icon-192.png', document.baseURI).href };
      const registration = await navigator.serviceWorker?.getRegistration();
      if (registration?.active) {
        // Phones have them only through the service worker, which also handles the click.
        await registration.showNotification(title, options);
        return;
      }
      const notification = new Notification(title, options);
      shown = notification;
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
      });
    },
    async closeNotification() {
      shown?.close();
      shown = undefined;
      const registration = await navigator.serviceWorker?.getRegistration();
      for (const each of (await registration?.getNotifications({ tag: TAG })) ?? []) each.close();
    },
  };
}
