import { channelSightOf, firstMark, type Id, type ReadState } from '@hearth/protocol';
import { readStateListSchema } from '@hearth/protocol/schemas';
import { ANYONE, type Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { MemberPart } from '../../communities/audiences/audiences.ts';
import {
  accessOf,
  readMemberships,
  type KeepsCommunities,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { countAfter, readMentions } from './mentions.ts';
import { selectReadStates } from './store.ts';

/** The read states of a user; empty for somebody whose memberships were not given. */
export type ReadStatesOf = (userId: Id) => readonly ReadState[];

/**
 * Reads how far members have read the channels that they see: those that they have opened, and those with mentions. One
 * query reads the marks of all of them.
 */
export async function findReadStates(
  ctx: Context & KeepsCommunities,
  members: readonly StoredMember[],
): Promise<ReadStatesOf> {
  const byUser = Map.groupBy(members, ({ userId }) => userId);
  const communityIds = [...new Set(members.map(({ communityId }) => communityId))];
  const [communities, stored, mentionsOf] = await Promise.all([
    ctx.communities.all(communityIds),
    selectReadStates(ctx.database.reader, [...byUser.keys()]),
    readMentions(ctx, members),
  ]);
  const marks = Map.groupBy(stored, ({ userId, communityId }) => `${userId} ${communityId}`);
  return (userId) =>
    (byUser.get(userId) ?? []).flatMap((member) => {
      const community = communities.get(member.communityId);
      if (community === undefined) return [];
      const { viewer } = accessOf(ctx, ANYONE, { community, member });
      const own = marks.get(`${userId} ${member.communityId}`) ?? [];
      const mentions = mentionsOf(member, (id) => community.channelById.has(id));
      const states = statesOf(member, own, mentions);
      return states.filter(({ channel_id: id }) => {
        const channel = community.channelById.get(id);
        return channel !== undefined && channelSightOf(viewer, community, channel.levels).follows;
      });
    });
}

/** How far the caller has read the channels that they have opened, and those in which they are mentioned. */
export async function listReadStates(
  ctx: Context & KeepsCommunities,
  actor: Account,
): Promise<readonly ReadState[]> {
  await requireReader(ctx, actor);
  const members = await readMemberships(ctx.database.reader, actor.user_id);
  return (await findReadStates(ctx, members))(actor.user_id);
}

/** How far a user has read the channels that they have opened, by the ids of the channels. */
export async function findMarks(db: Reader, userId: Id): Promise<ReadonlyMap<Id, Id>> {
  const stored = await selectReadStates(db, [userId]);
  return new Map(stored.map(({ channelId, lastReadId }) => [channelId, lastReadId]));
}

function statesOf(
  member: StoredMember,
  stored: readonly { readonly channelId: Id; readonly lastReadId: Id }[],
  mentions: ReadonlyMap<Id, readonly Id[]>,
): readonly ReadState[] {
  const stateOf = (channelId: Id, mark: Id): ReadState => ({
    channel_id: channelId,
    last_read_id: mark,
    mentions: countAfter(mentions.get(channelId) ?? [], mark),
  });
  const opened = stored.map(({ channelId, lastReadId }) => stateOf(channelId, lastReadId));
  const known = new Set(stored.map(({ channelId }) => channelId));
  const first = firstMark(member.joinedAtMs);
  const others = mentions
    .keys()
    .filter((channelId) => !known.has(channelId))
    .map((channelId) => stateOf(channelId, first))
    .filter((state) => state.mentions > 0);
  return [...opened, ...others];
}

/** How far users have read, in READY. */
export const readStatesPart: MemberPart<Context & KeepsCommunities, 'read_states'> = {
  key: 'read_states',
  schema: readStateListSchema,
  async read(ctx, { members }) {
    const statesOf = await findReadStates(ctx, members);
    return (user) => [...statesOf(user)];
  },
};
