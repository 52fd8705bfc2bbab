import { LOBBY_STREAM } from '@hearth/protocol';
import type { Delivery, EventDelivery, StreamName } from '../../ports/bus/bus.ts';
import { removalsOf } from './removal.ts';

/** In place of the id of a post: any. No event says in which channel a post is that it names. */
const ANY_POST = 'post';

/** Stands, with the stream that follows, for the post of a card, or of the message that it was made from: both are in one community. */
const OWN_POST = 'post of ';

const CHANNEL = 'CHANNEL';
const COMMUNITY = 'COMMUNITY';
const HIDEABLE: readonly string[] = [CHANNEL, COMMUNITY, 'POST', 'MESSAGE'];
const NONE: readonly string[] = [];
const NAMING = /^(?:CHANNEL|MESSAGE|POST)_(?:CREATE|UPDATE)$/;

/** The ids of what an event names and its readers may not see one day: channels, and posts and messages elsewhere. */
export function namesIn({ stream, event: { op, d } }: EventDelivery): readonly string[] {
  // Messages of the lobby name nothing that anybody hides.
  if (stream === LOBBY_STREAM || !NAMING.test(op)) return NONE;
  // Guarantee: only verbs publish, and they publish events of the protocol.
  const named = d as {
    readonly mention_channels?: readonly string[];
    readonly card_channel_ids?: readonly string[];
    readonly mention_posts?: readonly { readonly id: string }[];
    readonly post_id?: string;
    readonly crosspost_of?: string;
    readonly from_message?: { readonly channel_id: string; readonly id: string };
  };
  const { mention_channels: channels = [], card_channel_ids: cards = [], from_message } = named;
  const { post_id: own, crosspost_of: repeated, mention_posts: mentioned = [] } = named;
  // As nearly all messages.
  const isPlain = channels.length + cards.length + mentioned.length === 0;
  if (isPlain && (own ?? repeated ?? from_message) === undefined) return NONE;
  const others = [...mentioned.map(({ id }) => id), ...(repeated === undefined ? [] : [repeated])];
  return [
    ...channels,
    ...cards,
    ...(from_message === undefined ? [] : [from_message.channel_id, from_message.id]),
    ...(own === undefined ? [] : [own, OWN_POST + homeOf(stream)]),
    ...(others.length === 0 ? [] : [...others, ANY_POST]),
  ];
}

/** The ids of what somebody does not see any more after this. */
export function hiddenBy(delivery: Delivery): readonly string[] {
  const { stream } = delivery;
  if ('end' in delivery) {
    if (!('unless' in delivery.end) || !/^[cr]:/.test(stream)) return [];
    return [stream.slice('r:'.length), ...postsOf(communityOf(delivery.end.unless))];
  }
  const { event } = delivery;
  const removals = removalsOf(event);
  if (removals.length === 0) return NONE;
  return removals.flatMap(({ noun, id }) => {
    if (!HIDEABLE.includes(noun)) return [];
    if (noun === COMMUNITY) return [id, ANY_POST];
    const community = 'community_id' in event.d ? String(event.d.community_id) : '';
    return noun === CHANNEL ? [id, ...postsOf(community)] : [id];
  });
}

function communityOf(audience: object): string {
  return 'community' in audience ? String(audience.community) : '';
}

function postsOf(communityId: string): readonly string[] {
  return [ANY_POST, `${OWN_POST}c:${communityId}`, `${OWN_POST}r:`];
}

/** The stream of a community; for the stream of a channel, of which it is not known, that of any channel. */
function homeOf(stream: StreamName): string {
  return stream.startsWith('r:') ? 'r:' : stream;
}
