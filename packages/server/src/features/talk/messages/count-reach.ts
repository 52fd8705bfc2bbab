import { seersOf, type Id, type Reach, type Seers } from '@hearth/protocol';
import { MOST_COUNTED_REACH } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  selectMembersWith,
  selectMembers,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import { resolveNames } from '../mentions/mentions.ts';
import {
  asChannel,
  requireWriting,
  sees,
  turningIn,
  type ChannelPlace,
  type PlacesContext,
} from '../places/places.ts';

/** The number of members who are read at once, and of such reads for one answer. */
const MEMBERS_AT_ONCE = 1_000;
const MOST_PAGES = 50;

/**
 * Counts the people whom a text would mention if the caller posted it, without the caller: at most {@link
 * MOST_COUNTED_REACH}, which means that many or more. Throws what posting it would throw.
 */
export async function countReach(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, content }: { readonly channel_id: Id; readonly content: string },
): Promise<Reach> {
  const { access } = await turningIn(ctx, actor, {
    placeId: channelId,
    requires: requireWriting(ctx),
  });
  const { users = [], roles = [], all } = await resolveNames(ctx, access, content);
  // Those who are named have been found to see the channel.
  const reached = new Set(users);
  for await (const seeing of mentioned(ctx, asChannel(access), { roles, all: all === true })) {
    for (const id of seeing) reached.add(id);
    // One more than is counted, for the caller.
    if (reached.size > MOST_COUNTED_REACH) break;
  }
  reached.delete(actor.user_id);
  return { people: Math.min(reached.size, MOST_COUNTED_REACH) };
}

/** The people who see a channel and have one of the roles, or all, some at a time. */
async function* mentioned(
  { database: { reader } }: Pick<Context, 'database'>,
  place: ChannelPlace | undefined,
  { roles, all }: { readonly roles: readonly Id[]; readonly all: boolean },
): AsyncGenerator<readonly Id[]> {
  if (place === undefined || (!all && roles.length === 0)) return;
  const { community, channel } = place;
  const { id: communityId, ownerId } = community.stored;
  // Guarantee: overwrites name users and roles by their ids.
  const named = seersOf(community, channel.levels) as
    | Readonly<Record<keyof Seers, readonly Id[]>>
    | undefined;
  const isOf = (member: StoredMember) => sees(community, channel, member);
  if (all && named !== undefined) {
    const others = await selectMembers(reader, communityId, [ownerId, ...named.members]);
    yield others.filter(isOf).map(({ userId }) => userId);
    if (named.roles.length === 0) return;
  }
  const wanted = all ? named?.roles : roles;
  for (let after: Id | undefined, count = 0; count < MOST_PAGES; count += 1) {
    const page = { roles: wanted, after, limit: MEMBERS_AT_ONCE };
    const ids = await selectMembersWith(reader, communityId, page);
    if (channel.isRestricted) {
      const members = await selectMembers(reader, communityId, ids);
      yield members.filter(isOf).map(({ userId }) => userId);
    } else yield ids;
    after = ids.at(-1);
    if (ids.length < MEMBERS_AT_ONCE) return;
  }
}
