import type { Reader, Writer } from '../../ports/database/database.ts';
import { latestMoment } from '../../lib/stored-moment.ts';

/** The setting with the key that challenges are signed with. */
const PROOF_KEY = 'registration_proof_key';

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

/** The key that challenges are signed with, if there is one. */
export async function selectProofKey(db: Reader): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PROOF_KEY)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a key to sign challenges with, unless there is one. */
export async function insertProofKey(db: Writer, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: PROOF_KEY, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
