import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { isBanned, lockCommunity, readCommunity } from '../structure/structure.ts';
import { enter, type EnteringContext } from '../members/members.ts';
import { rolesGivenBy } from './given-roles.ts';
import { returnUse, selectWaiting, takeWaiting } from './registrations-store.ts';

/** The community that somebody joins when they are approved; undefined if there is none. */
export async function findAwaited(db: Reader, userId: Id): Promise<Id | undefined> {
  return (await selectWaiting(db, userId))?.community_id;
}

/** Locks the community that somebody joins when they are approved. */
export async function lockAwaited(tx: Transaction, userId: Id): Promise<void> {
  const awaited = await findAwaited(tx.sql, userId);
  if (awaited !== undefined) await lockCommunity(tx, awaited);
}

/**
 * Makes somebody who was approved a member of the community with whose invite they registered, which {@link lockAwaited} has
 * locked; nothing if the invite was revoked, the community deleted or the person banned meanwhile.
 */
export async function joinAwaited(
  tx: EmittingTransaction,
  ctx: EnteringContext,
  userId: Id,
): Promise<void> {
  const waiting = await takeWaiting(tx.sql, userId);
  if (waiting === undefined) return;
  const { community_id: communityId } = waiting;
  const community = await readCommunity(tx.sql, communityId);
  if (community?.stored.deletedAtMs !== 0) return;
  if (await isBanned(tx.sql, { communityId, userId, nowMs: ctx.clock.unixMs() })) return;
  const roleIds = await rolesGivenBy(tx.sql, ctx, { community, invite: waiting });
  await enter(tx, ctx, { communityId, userId, roleIds });
}

/** Gives back the use of an invite that somebody was refused with. */
export async function refuseAwaited(tx: Transaction, userId: Id): Promise<void> {
  const waiting = await selectWaiting(tx.sql, userId);
  if (waiting === undefined) return;
  await returnUse(tx.sql, waiting.code);
  await takeWaiting(tx.sql, userId);
}
