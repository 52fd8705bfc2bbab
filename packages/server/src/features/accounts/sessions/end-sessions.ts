import { NotFoundError, userStream, type Id, type StreamEvent } from '@hearth/protocol';
import type { Account, SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { KEPT, type Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { endNextSessions, endSessions, selectSessions } from './store.ts';

type Nothing = Record<never, never>;

/** Ends a session of the user. Throws NotFoundError if it has ended, or is another user's. */
export async function endSession(
  { database, clock }: Context,
  { user_id: userId }: Account,
  { id }: { readonly id: Id },
): Promise<Nothing> {
  await database.transaction((tx) => endSessionOf(tx, userId, { id, nowMs: clock.unixMs() }), KEPT);
  return {};
}

/** Ends all sessions of the user but the one that asks for it. */
export async function endOtherSessions(
  { database, clock }: Context,
  { user_id: userId, credential: { id: except } }: SessionAccount,
): Promise<Nothing> {
  await database.transaction(
    (tx) => endAllSessions(tx, userId, { nowMs: clock.unixMs(), except }),
    KEPT,
  );
  return {};
}

/** Ends all sessions of a user but one, or all. */
export async function endAllSessions(
  tx: EmittingTransaction,
  userId: Id,
  { nowMs, except }: { readonly nowMs: number; readonly except?: Id },
): Promise<void> {
  const sessions = await selectSessions(tx.sql, userId);
  const ids = sessions.map(({ id }) => id).filter((id) => id !== except);
  await announceEnds(tx, userId, await endSessions(tx.sql, userId, { ids, nowMs }));
}

/**
 * Ends the first sessions, of anybody, whose ids follow one, and returns their ids, in no order. Their clients are not sent
 * SESSION_END: this is for sessions of which no token is accepted any more.
 */
export async function endSessionsAfter(
  tx: Transaction,
  next: Parameters<typeof endNextSessions>[1],
): Promise<readonly Id[]> {
  const ids = await endNextSessions(tx.sql, next);
  for (const id of ids) tx.changed('sessions', id);
  return ids;
}

/** Lets all processes read again what decides whether the tokens of a user are accepted, and what they permit. */
export async function recheckSessions(tx: EmittingTransaction, userId: Id): Promise<void> {
  for (const { id } of await selectSessions(tx.sql, userId)) tx.changed('sessions', id);
}

/** Ends a session of a user. Throws NotFoundError if it has ended. */
export async function endSessionOf(
  tx: EmittingTransaction,
  userId: Id,
  { id, nowMs }: { readonly id: Id; readonly nowMs: number },
): Promise<void> {
  const ended = await endSessions(tx.sql, userId, { ids: [id], nowMs });
  if (ended.length === 0) throw new NotFoundError();
  await announceEnds(tx, userId, ended);
}

/**
 * Reports that sessions of a user have ended: to the caches of tokens, to the user's clients, and to the gateways, which close
 * the sockets of these sessions. To be called by everything that ends sessions, in its transaction.
 */
export async function announceEnds(
  tx: EmittingTransaction,
  userId: Id,
  sessions: readonly Id[],
): Promise<void> {
  const stream = userStream(userId);
  for (const id of sessions) {
    const event: StreamEvent = { op: 'SESSION_END', d: { id } };
    tx.changed('sessions', id);
    await tx.emit({ stream, event }, { subject: stream });
  }
}
