import { compareIds, NotFoundError, type Id } from '@hearth/protocol';
import type { Context } from '../../../../context.ts';
import { inTime } from '../../../../lib/within.ts';
import type { TransactionOptions } from '../../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../../ports/outbox/outbox.ts';
import type { KeepsHistory } from '../message-history.ts';
import { isWithin } from '../message-range.ts';
import { outdatedBy } from '../retention.ts';
import { selectLast } from '../store.ts';
import { lockMessage, type LockedMessage } from './store.ts';

/** The time that a change may wait for its message to be written. */
const WRITTEN_WITHIN_MS = 2_500;

/**
 * Changes a message that is kept, in a transaction that nothing else changes it in. A message that was dispatched a moment
 * ago is written first. Throws NotFoundError, and what `change` throws.
 */
export async function changeKept<Result>(
  ctx: Context & KeepsHistory,
  { id, ...options }: TransactionOptions & { readonly id: Id },
  change: (tx: EmittingTransaction, locked: LockedMessage) => Promise<Result>,
): Promise<Result> {
  const { database, history } = ctx;
  const attempt = () =>
    database.transaction(async (tx) => {
      const locked = await lockMessage(tx.sql, id);
      if (locked === undefined || !(await isKept(ctx, tx, locked))) return undefined;
      return { result: await change(tx, locked) };
    }, options);
  const first = await attempt();
  if (first !== undefined) return first.result;
  // It may have been written since.
  const last = await selectLast(database.reader);
  const isWaiting = last === undefined || compareIds(id, last.id) > 0;
  if (isWaiting) await inTime(history.flush(), WRITTEN_WITHIN_MS);
  const second = await attempt();
  if (second === undefined) throw new NotFoundError();
  return second.result;
}

async function isKept(
  { settings, clock }: Pick<Context, 'clock' | 'settings'>,
  tx: EmittingTransaction,
  { message, number }: LockedMessage,
): Promise<boolean> {
  const last = await selectLast(tx.sql);
  const bounds = settings.rest.history;
  const outdated = outdatedBy({ bounds, clock }, last?.number ?? number);
  return isWithin({ ...outdated, after: undefined, before: undefined }, number)(message);
}
