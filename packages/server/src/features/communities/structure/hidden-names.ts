import type { Id } from '@hearth/protocol';

/**
 * Stands for any post, with the id of one that an event names: it does not say in which channel that is, and has to be forgotten
 * with any channel. Posts of the event's own community are named with the id of that instead.
 */
export const ANY_POST = 'post';

/** Names that must not be sent any more if a channel is hidden or removed: its own, and those of posts that may be in it. */
export function hiddenWith(channelId: Id, communityId: Id): readonly string[] {
  return [channelId, ANY_POST, communityId];
}
