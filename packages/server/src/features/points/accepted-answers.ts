import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { isActiveUser } from '../users/hold-active-user.ts';
import { POINT_RULES } from './point-rules.ts';
import { insertInLedger, raisePoints } from './store.ts';

/** An answer to a question. */
export interface Answer {
  /** For the ledger: drawn before the transaction. */
  readonly id: Id;
  readonly communityId: Id;
  /** Who asked, and who answered. */
  readonly askedBy: Id;
  readonly answeredBy: Id;
  readonly commentId: Id;
  readonly nowMs: number;
}

const POINTS = POINT_RULES.accepted_answer * 1_000;

/** Gives what an accepted answer is worth, unless people answer themselves or have deleted their account. */
export function giveForAnswer(tx: Transaction, answer: Answer): Promise<void> {
  return record(tx, answer, POINTS);
}

/** Takes that back: the answer is not the accepted one any more. */
export function takeForAnswer(tx: Transaction, answer: Answer): Promise<void> {
  return record(tx, answer, -POINTS);
}

async function record({ sql }: Transaction, answer: Answer, points: number): Promise<void> {
  const { askedBy, answeredBy: userId, ...entry } = answer;
  if (askedBy === userId || !(await isActiveUser(sql, userId))) return;
  await insertInLedger(sql, { ...entry, userId, points });
  await raisePoints(sql, { communityId: entry.communityId, userId, points });
}
