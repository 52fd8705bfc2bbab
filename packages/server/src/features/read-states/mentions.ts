import { compareIds, type Id } from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Reader } from '../../ports/database/database.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { StoredMember } from '../members/known-members.ts';

/** Whom a message has to mention so that it mentions a member: them, one of their roles, or everyone. */
export function subjectsOf({ userId, communityId, roleIds }: StoredMember): readonly Id[] {
  return [userId, communityId, ...roleIds];
}

/** How many messages of a channel after a mark mention one of the subjects, up to what is counted. */
export async function countMentions(
  _db: Reader,
  _unread: { readonly channelId: Id; readonly subjects: readonly Id[]; readonly after: Id },
): Promise<number> {
  return 0;
}

/** The messages that mention a member, by their channels. */
export type MentionsOf = (member: StoredMember) => ReadonlyMap<Id, readonly Id[]>;

/** Reads which messages mention members. */
export async function readMentions(
  _ctx: CommunityContext,
  _members: readonly StoredMember[],
): Promise<MentionsOf> {
  return () => new Map();
}

/** How many of these messages are after a mark, up to what is counted. */
export function countAfter(messageIds: readonly Id[], mark: Id): number {
  const unread = messageIds.filter((id) => compareIds(id, mark) > 0);
  return Math.min(new Set(unread).size, MOST_COUNTED_MENTIONS);
}
