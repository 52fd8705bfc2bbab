import { COMMUNITY_KINDS } from '@hearth/protocol/schemas';
import type { ChannelKind, Community } from '@hearth/protocol';

/** True if the page can show posts. */
const HAS_POSTS: boolean = true;

/** The kinds that somebody may choose for a community, the usual one first. With only one, nothing is asked. */
export function offeredKinds(hasPosts = HAS_POSTS): readonly Community['kind'][] {
  return hasPosts ? COMMUNITY_KINDS.toReversed() : ['messages'];
}

/** The kinds of channels that can be added to a community, the usual one first. */
export function channelKindsFor(
  community: Pick<Community, 'kind'>,
  hasPosts = HAS_POSTS,
): readonly Exclude<ChannelKind, 'category'>[] {
  if (!hasPosts) return community.kind === 'posts' ? [] : ['messages', 'announcements'];
  switch (community.kind) {
    case 'messages':
      return ['messages', 'announcements'];
    case 'posts':
      return ['posts'];
    case 'both':
      return ['messages', 'announcements', 'posts'];
  }
}

/** Returns whether the kind of a community says something about it: not while all of them are of one kind. */
export function isKindShown(hasPosts = HAS_POSTS): boolean {
  return hasPosts;
}
