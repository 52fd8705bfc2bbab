import type { Reader, Writer } from '../../../ports/database/database.ts';
import { latestMoment } from '../../../lib/stored-moment.ts';

/** Spends a challenge; false if it was spent before. Forgets those that are not accepted any more. */
export async function spendChallenge(
  db: Writer,
  challenge: string,
  { expiresAtMs, nowMs }: { readonly expiresAtMs: number; readonly nowMs: number },
): Promise<boolean> {
  await db.deleteFrom('spent_proofs').where('expires_at_ms', '<=', nowMs).execute();
  const row = await db
    .insertInto('spent_proofs')
    .values({ challenge, expires_at_ms: expiresAtMs })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the accounts that were registered within the last `withinMs`, up to a limit. */
export async function countRegistrations(
  db: Reader,
  { nowMs, withinMs, upTo }: Readonly<Record<'nowMs' | 'withinMs' | 'upTo', number>>,
): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('created_at_ms', '>', nowMs - withinMs)
    .where('created_at_ms', '<=', latestMoment(nowMs))
    .limit(upTo)
    .execute();
  return rows.length;
}
