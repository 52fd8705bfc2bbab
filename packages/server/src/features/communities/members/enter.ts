import { NotFoundError, userStream, type Id, type OwnCommunity } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { onlyOf, type Emitted, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  accessOf,
  countMember,
  memberKey,
  readCommunities,
  selectMembers,
  type MemberPair,
  type StoredMember,
} from '../structure/structure.ts';
import { addMembers, type NewMember } from './add-member.ts';
import { describeOwnCommunity } from './describe-own-community.ts';

/** Does what it means for a feature that people have become members, in the transaction that lets them in. */
export type BeginMemberships = (
  tx: EmittingTransaction,
  members: readonly MemberPair[],
) => Promise<unknown>;

export interface HasMembershipBeginners {
  readonly membershipBeginners: readonly BeginMemberships[];
}

/** Everything that letting somebody in needs. */
export type EnteringContext = Pick<Context, 'clock'> & HasMembershipBeginners;

/**
 * Makes somebody a member of a community that is locked, if they are none yet, and sends their clients the community. Whether
 * they may is up to the caller. Throws ConflictError for one community too many, and UnauthorizedError for an account that
 * cannot be used any more.
 */
export async function enter(
  tx: EmittingTransaction,
  ctx: EnteringContext,
  entering: NewMember,
): Promise<OwnCommunity> {
  return await onlyOf(() => enterAll(tx, ctx, [entering]));
}

/**
 * Lets several in, in the order of the list: each is answered as if those before had entered and nobody else. Those who may
 * not enter drop out.
 */
export async function enterAll(
  tx: EmittingTransaction,
  { clock, membershipBeginners }: EnteringContext,
  entering: readonly NewMember[],
): Promise<readonly OwnCommunity[]> {
  const nowMs = clock.unixMs();
  const added = await addMembers(tx, entering, nowMs);
  const ids = [...new Set(entering.map(({ communityId }) => communityId))];
  const communities = new Map(
    (await readCommunities(tx.sql, ids)).map((community) => [community.stored.id, community]),
  );
  const members = await membersOf(tx, entering, added);
  const counts = new Map<Id, number>();
  const shown = entering.map(({ communityId, userId }, at) => {
    const community = communities.get(communityId);
    const member = added.get(at) ?? members.get(memberKey(communityId, userId));
    if (community === undefined || member === undefined) throw new NotFoundError();
    const count = (counts.get(communityId) ?? 0) + (added.has(at) ? 1 : 0);
    counts.set(communityId, count);
    const stored = { ...community.stored, memberCount: community.stored.memberCount + count };
    const actor = { kind: 'account' } as const;
    const access = accessOf({ clock }, actor, { community: { ...community, stored }, member });
    return describeOwnCommunity({ ...access, member }, { lastIds: new Map(), nowMs });
  });
  for (const [communityId, count] of counts) {
    if (count > 0) await countMember(tx, communityId, count);
  }
  if (added.size === 0) return shown;
  const begun = [...added.values()];
  for (const begin of membershipBeginners) await begin(tx, begun);
  await tx.emitAll(
    Array.from(added, ([at, { userId }]): Emitted => {
      const stream = userStream(userId);
      // Guarantee: each place of the list has one.
      const d = shown[at] as OwnCommunity;
      return [{ stream, event: { op: 'COMMUNITY_CREATE', d } }, { subject: stream }];
    }),
  );
  return shown;
}

/** People who were members already, or are in the list twice. */
async function membersOf(
  tx: EmittingTransaction,
  entering: readonly NewMember[],
  added: ReadonlyMap<number, StoredMember>,
): Promise<ReadonlyMap<string, StoredMember>> {
  const members = new Map<string, StoredMember>();
  const others = entering.filter((_, at) => !added.has(at));
  for (const [communityId, own] of Map.groupBy(others, (each) => each.communityId)) {
    const ids = own.map(({ userId }) => userId);
    for (const member of await selectMembers(tx.sql, communityId, ids)) {
      members.set(memberKey(communityId, member.userId), member);
    }
  }
  return members;
}
