import type { Id } from '@hearth/protocol';
import type { Mention } from '../communities/community-source.ts';
import { CleanUp } from '../lib/clean-up.ts';
import type { Attention, Notice } from './attention.ts';
import { notificationBody } from './notification-body.ts';
import type { AppState } from './state.ts';

/** The parts of the page with which mentions are announced. */
type Announced = Pick<AppState, 'settings' | 'texts'> & {
  readonly attachments: Pick<AppState['attachments'], 'split'>;
  readonly communities: Pick<AppState['communities'], 'mention'>;
};

/**
 * Announces messages, posts and comments that mention the reader or reply to them while the page is hidden: one notification for each channel, which
 * leads to the newest. Returns a function that stops it.
 */
export function announceMentions(state: Announced, attention: Attention): () => void {
  const { settings, communities } = state;
  const cleanUp = new CleanUp();
  /** The numbers of mentions, by their channels. */
  const counts = new Map<Id, number>();
  let done = Promise.resolve();
  const next = (step: () => Promise<void>) => {
    // What the browser does not show is in the page.
    done = done.then(step).catch(() => {});
  };
  const announce = (mention: Mention | undefined) => {
    if (mention === undefined || !attention.isHidden()) return;
    if (settings.sound.peek()) attention.playSound();
    if (!settings.notifications.peek() || !attention.mayNotify()) return;
    const count = (counts.get(mention.channel.id) ?? 0) + 1;
    counts.set(mention.channel.id, count);
    const notice = noticeOf(state, mention, count);
    next(() => attention.notify(notice));
  };
  const look = () => {
    if (attention.isHidden()) return;
    for (const id of counts.keys()) next(() => attention.closeNotification(tagOf(id)));
    counts.clear();
  };
  cleanUp.defer(attention.onLook(look));
  let isFirst = true;
  cleanUp.defer(
    communities.mention.subscribe((mention) => {
      if (!isFirst) announce(mention);
      isFirst = false;
    }),
  );
  return () => cleanUp.dispose();
}

function noticeOf(
  { texts, attachments }: Announced,
  { community, channel, path, author, content, isExcerpt }: Mention,
  count: number,
): Notice {
  const words = texts.catalogue.peek().shell.notification;
  const { newMessage } = words;
  const body = isExcerpt
    ? content || newMessage
    : notificationBody(attachments.split(content), words);
  const place = `#${channel.name} · ${community.name}`;
  const many = words.newMessages(texts.formats.peek().count(count));
  return {
    title: count === 1 ? `${author} · ${place}` : `${many} · ${place}`,
    options: {
      body: count === 1 ? body : `${author}: ${body}`,
      tag: tagOf(channel.id),
      lang: texts.language.peek(),
    },
    path,
  };
}

function tagOf(channel: Id): string {
  return `hearth-channel-${channel}`;
}
