import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { isActiveUser } from '../../accounts/users/users.ts';
import { POINT_RULES } from './find-points.ts';
import { addPoints, heldFor, insertInLedger } from './store.ts';

export interface Answer {
  /** For the ledger: drawn before the transaction. */
  readonly id: Id;
  readonly communityId: Id;
  /** The person who asked, and the person who answered. */
  readonly askedBy: Id;
  readonly answeredBy: Id;
  readonly commentId: Id;
  readonly nowMs: number;
}

const POINTS = POINT_RULES.accepted_answer * 1_000;

/** Gives what an accepted answer is worth, unless people answer themselves or have deleted their account. */
export async function giveForAnswer(tx: Transaction, answer: Answer): Promise<void> {
  const { askedBy, answeredBy } = answer;
  if (askedBy === answeredBy || !(await isActiveUser(tx.sql, answeredBy))) return;
  await record(tx, answer, POINTS);
}

/** Takes back what was given for it: the answer is not the accepted one any more. */
export async function takeForAnswer(
  tx: Transaction,
  answer: Omit<Answer, 'askedBy'>,
): Promise<void> {
  const { communityId, answeredBy: userId, commentId } = answer;
  const held = await heldFor(tx.sql, { communityId, userId, commentId });
  if (held > 0) await record(tx, answer, -held);
}

async function record(
  tx: Transaction,
  { answeredBy: userId, id, communityId, commentId, nowMs }: Omit<Answer, 'askedBy'>,
  points: number,
): Promise<void> {
  await insertInLedger(tx.sql, { id, communityId, commentId, nowMs, userId, points });
  await addPoints(tx, { communityId, userId, points });
}
