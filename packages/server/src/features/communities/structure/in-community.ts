import { ForbiddenError, NotFoundError, sightOf, type Id, type Permission } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { audit, beginEntry, type Act, type BegunEntry } from '../audit/audit.ts';
import type { StoredMember } from './member-store.ts';
import { selectMember } from './member-store.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import { accessOf, accessTo, requireIn, type Access, type AccessContext } from './access.ts';
import { announceStructure } from './announce-structure.ts';
import { readCommunity } from './known-communities.ts';
import type { KnownCommunity } from './known-community.ts';
import { waitForRules } from './hold-rules.ts';
import { lockCommunityRow, raiseStructure } from './community-store.ts';

/** A member in a community that no other transaction changes. */
export interface MemberAccess extends Access {
  readonly member: StoredMember;
  /** For the one act that is recorded in the audit log. */
  readonly entry: BegunEntry;
}

/** A change of a community, by whom, and what that needs. */
export interface Changing {
  readonly actor: Account;
  readonly id: Id;
  readonly needs?: Permission;
  /** The owner may change it although it was deleted. */
  readonly evenDeleted?: true;
  /** True if `work` changes what people may do, so that nobody writes beside it who could before. */
  readonly changesRules?: true;
  /** True if the caller changes nobody but themselves: then it waits like what everyone does. */
  readonly isOwn?: boolean;
}

/**
 * Changes a community on behalf of one of its members: runs `work` in a transaction in which nobody else changes the
 * community, its roles, its channels or its members. Throws NotFoundError if the caller may not know that it exists, and
 * ForbiddenError if they are not a member, lack the permission, or are banned from the instance, and if it was deleted.
 */
export async function inCommunity<Result>(
  ctx: AccessContext,
  { actor, id, needs, evenDeleted, changesRules, isOwn }: Changing,
  work: (tx: EmittingTransaction, access: MemberAccess) => Promise<Result>,
): Promise<Result> {
  await requireEntry(ctx, actor);
  // First, so that nobody waits for the lock of a community that they may not see.
  await accessTo(ctx, actor, id);
  const entry = await beginEntry(ctx, actor, id);
  const writing = { subjects: [id], caller: actor.user_id, isUrgent: isOwn !== true } as const;
  return await ctx.database.writeAlone(writing, async (tx) => {
    if (changesRules === true) await waitForRules(tx, id);
    await lockCommunityRow(tx.sql, id);
    const community = await readCommunity(tx.sql, id);
    const member = await selectMember(tx.sql, id, actor.user_id);
    if (community === undefined || !sightOf(community, member?.userId).reads)
      throw new NotFoundError();
    if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
    const access = { ...accessOf(ctx, actor, { community, member }), member, entry };
    if (community.stored.deletedAtMs > 0 && evenDeleted !== true) {
      throw new ForbiddenError({ code: 'community_deleted' });
    }
    if (needs !== undefined) requireIn(access, needs, ctx.clock.unixMs());
    return await work(tx, access);
  });
}

/** Returns what the audit log says of a change, when it is known what the community is like then. */
export type Recorded = (after: KnownCommunity) => Act;

/**
 * Changes the structure of a community, which is its own fields, its roles, its channels and their overwrites, as {@link
 * inCommunity} does, sends everyone what has changed, and records it in the audit log. Returns the community as it is then. If
 * `work` resolves with nothing, it has changed nothing, and nothing is sent or recorded.
 */
export async function restructure(
  ctx: AccessContext,
  changing: Changing,
  work: (tx: EmittingTransaction, access: MemberAccess) => Promise<Recorded | undefined>,
): Promise<KnownCommunity> {
  return await inCommunity(ctx, { ...changing, changesRules: true }, async (tx, access) => {
    const actIn = await work(tx, access);
    if (actIn === undefined) return access.community;
    await raiseStructure(tx.sql, access.community.stored.id);
    const after = await announceChanges(tx, access.community);
    await audit(tx, access.entry, actIn(after));
    return after;
  });
}

/** Sends everyone what a transaction has changed of the structure of a community that it has locked. */
export async function announceChanges(
  tx: EmittingTransaction,
  before: KnownCommunity,
): Promise<KnownCommunity> {
  const { id } = before.stored;
  const after = await readCommunity(tx.sql, id);
  if (after === undefined) throw new Error('the community is not there');
  tx.changed('communities', id);
  await announceStructure(tx, before, after);
  return after;
}
