import type { Reader, Writer } from '../../../ports/database/database.ts';

export interface StoredFailures {
  readonly key: string;
  readonly failures: number;
  readonly lastAtMs: number;
}

/** Reads the failures of those of these keys that have any. */
export async function selectFailures(
  db: Reader,
  keys: readonly string[],
): Promise<readonly StoredFailures[]> {
  return await db
    .selectFrom('guesses')
    .select(['key', 'failures', 'last_at_ms as lastAtMs'])
    .where('key', 'in', keys)
    .execute();
}

/**
 * The failures of these keys, which no other transaction changes until the end of this one. Keys without any get a row that
 * counts none and was never used. The keys are sorted.
 */
export async function lockFailures(
  db: Writer,
  keys: readonly string[],
): Promise<readonly StoredFailures[]> {
  const locked: StoredFailures[] = [];
  for (const key of keys) {
    // In one statement, so that nobody can delete the row between adding and locking it.
    const failures = await db
      .insertInto('guesses')
      .values({ key, failures: 0, last_at_ms: 0 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((own) => ({ failures: own.ref('guesses.failures') })),
      )
      .returning(['key', 'failures', 'last_at_ms as lastAtMs'])
      .executeTakeFirstOrThrow();
    locked.push(failures);
  }
  return locked;
}

/** Replaces what is remembered of a locked key. */
export async function setFailures(
  db: Writer,
  { key, failures, lastAtMs }: StoredFailures,
): Promise<void> {
  await db
    .updateTable('guesses')
    .set({ failures, last_at_ms: lastAtMs })
    .where('key', '=', key)
    .execute();
}

/** Forgets keys that count nothing and were never used. */
export async function deleteUnused(db: Writer, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('guesses')
    .where('key', 'in', keys)
    .where('failures', '=', 0)
    .where('last_at_ms', '=', 0)
    .execute();
}

/** Remembers that an allowance has nothing against it. */
export async function clearFailures(db: Writer, key: string, nowMs: number): Promise<void> {
  const none = { failures: 0, last_at_ms: nowMs };
  await db
    .insertInto('guesses')
    .values({ key, ...none })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(none))
    .execute();
}

/** Forgets allowances that were used last before this moment. */
export async function deleteFailuresBefore(db: Writer, beforeMs: number): Promise<void> {
  await db.deleteFrom('guesses').where('last_at_ms', '<', beforeMs).execute();
}
