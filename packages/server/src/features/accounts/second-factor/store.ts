import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/**
 * Reads what an account shares with an app, which is empty until a code has proved that the app has it, and what is
 * being set up, which is empty if nothing is.
 */
export async function selectTotp(db: Reader, userId: Id) {
  return await db
    .selectFrom('totp')
    .select(['secret', 'new_secret'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Begins to set up a secret; false if the account has one. */
export async function upsertNewSecret(db: Writer, userId: Id, newSecret: string): Promise<boolean> {
  const row = await db
    .insertInto('totp')
    .values({ user_id: userId, secret: '', new_secret: newSecret, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ new_secret: newSecret })
        .where('totp.secret', '=', ''),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts the new secret in force, and notes the code that proved it; false if another request has done so. */
export async function confirmSecret(
  db: Writer,
  userId: Id,
  { newSecret, step }: { readonly newSecret: string; readonly step: number },
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ secret: newSecret, new_secret: '', last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', '')
    .where('new_secret', '=', newSecret)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes that the code of a time step was accepted; false if that one or a later one was before. A step after `latestStep` was
 * accepted before the clock was set back.
 */
export async function takeStep(
  db: Writer,
  userId: Id,
  {
    secret,
    step,
    latestStep,
  }: { readonly secret: string; readonly step: number; readonly latestStep: number },
): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where((where) =>
      where.or([where('last_step', '<', step), where('last_step', '>', latestStep)]),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets the secret and the recovery codes; false if there was no secret. */
export async function deleteFactor(db: Writer, userId: Id): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const row = await db
    .deleteFrom('totp')
    .where('user_id', '=', userId)
    .where('secret', '!=', '')
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertRecoveryCodes(
  db: Writer,
  userId: Id,
  hashes: readonly string[],
): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ code_hash: hash, user_id: userId })))
    .execute();
}

/** Uses up a recovery code; false if there is none. */
export async function takeRecoveryCode(db: Writer, userId: Id, hash: string): Promise<boolean> {
  const row = await db
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hash)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}
