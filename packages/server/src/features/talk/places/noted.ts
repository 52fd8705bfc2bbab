import { excerptOf, firstCharacters } from '@hearth/markdown';
import type { Id, StreamEvent } from '@hearth/protocol';
import type { BusEvent, ReplayNote } from '../../../ports/bus/bus.ts';
import { ANY_POST } from '../../communities/structure/structure.ts';

/** Members of messages and posts that name what their readers may not see one day. */
interface Naming {
  readonly mention_channels?: readonly Id[];
  readonly mention_posts?: readonly { readonly id: Id }[];
  readonly crosspost_of?: Id;
  readonly from_message?: { readonly channel_id: Id; readonly id: Id };
  readonly post_id?: Id;
}

type ChannelEvent = Extract<StreamEvent, { d: { channel_id: Id } }>;
type MessageEvent = Extract<ChannelEvent, { op: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' }>;
type PostEvent = Extract<StreamEvent, { op: 'POST_CREATE' | 'POST_UPDATE' }>;

/** An event of a channel with what has to be known of it if it is kept: what it names, and what it shows of another message. */
export function noted(event: StreamEvent, communityId: Id | ''): BusEvent {
  if (!isNoted(event)) return event;
  const names = namesIn(event.d, communityId);
  const target = 'reply_to' in event.d ? event.d.reply_to : undefined;
  const isEdit = event.op === 'MESSAGE_UPDATE';
  // As nearly all messages.
  if (names === undefined && target === undefined && !isEdit) return event;
  const note: ReplayNote = {
    ...(names !== undefined && { names }),
    ...(target !== undefined && { quotes: { id: target.id, member: 'reply_to' } }),
    ...(isEdit && {
      quoted: { excerpt: messageExcerpt({ ...event.d, isCard: event.d.kind === 'post' }) },
    }),
  };
  return { ...event, note };
}

/** Returns true if an event shows a whole message or post of a channel. */
function isNoted(event: StreamEvent): event is MessageEvent | PostEvent {
  return 'channel_id' in event.d && /^(?:MESSAGE|POST)_(?:CREATE|UPDATE)$/.test(event.op);
}

function namesIn(d: Naming, communityId: Id | ''): readonly string[] | undefined {
  const { mention_channels: channels, mention_posts: mentioned, from_message } = d;
  const { crosspost_of: repeated, post_id: own } = d;
  // As nearly all messages.
  if ((channels ?? mentioned ?? from_message ?? repeated ?? own) === undefined) return undefined;
  const names = [...(channels ?? [])];
  if (from_message !== undefined) names.push(from_message.channel_id, from_message.id);
  const posts = (mentioned ?? []).map(({ id }) => id);
  if (repeated !== undefined) posts.push(repeated);
  const all = [
    ...names,
    ...(own === undefined ? [] : [own, communityId]),
    ...(posts.length === 0 ? [] : [...posts, ANY_POST]),
  ];
  return all.length === 0 ? undefined : all;
}

/** The number of characters of a message that are shown with a reply to it. */
const EXCERPT_CHARACTERS = 100;

/** The beginning of a message in plain text, as it is shown with a reply to it. A card has a title, which is no Markdown. */
export function messageExcerpt({
  content,
  isCard,
}: {
  readonly content: string;
  readonly isCard: boolean;
}): string {
  if (isCard) return firstCharacters(content, EXCERPT_CHARACTERS);
  return excerptOf(content, EXCERPT_CHARACTERS, { isOwn: true }).text;
}
