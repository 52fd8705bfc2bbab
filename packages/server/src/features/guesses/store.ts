import type { Reader, Writer } from '../../ports/database/database.ts';

/** What is remembered of wrong guesses. */
export interface StoredFailures {
  readonly key: string;
  readonly failures: number;
  readonly lastAtMs: number;
}

/** Those of these keys that have any. */
export async function selectFailures(
  db: Reader,
  keys: readonly string[],
): Promise<readonly StoredFailures[]> {
  const rows = await db.selectFrom('guesses').selectAll().where('key', 'in', keys).execute();
  return rows.map(({ key, failures, last_at_ms: lastAtMs }) => ({
    key,
    failures: Number(failures),
    lastAtMs: Number(lastAtMs),
  }));
}

/** Counts a wrong guess. Earlier ones are forgotten if the last one was before `sinceMs`. */
export async function countFailure(
  db: Writer,
  key: string,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): Promise<void> {
  await db
    .insertInto('guesses')
    .values({ key, failures: 1, last_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((expressions) => ({
        failures: expressions
          .case()
          .when('guesses.last_at_ms', '<', sinceMs)
          .then(1)
          .else(expressions('guesses.failures', '+', 1))
          .end(),
        last_at_ms: nowMs,
      })),
    )
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
