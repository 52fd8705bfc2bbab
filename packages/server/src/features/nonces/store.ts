import type { Id } from '@hearth/protocol';
import type { Reader, Statement, Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { UsedNoncesTable } from './tables.ts';
import { nonceKey, type UsedNonce } from './used-nonce.ts';

const COLUMNS = ['place', 'user_id', 'nonce', 'result_id', 'used_at_ms'] as const;

/** How many rows a statement adds. There are few statements, because each is kept prepared. */
const ROWS_AT_ONCE = [64, 16, 4, 1] as const;

/** Statements that remember nonces. One that was used before has the new result then. */
export function upsertStatements(used: readonly UsedNonce[]): readonly Statement[] {
  // A statement must not change a row twice.
  const rows = [...new Map(used.map((each) => [nonceKey(each), rowOf(each)])).values()];
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length;) {
    const count = ROWS_AT_ONCE.find((each) => each <= rows.length - from) ?? 1;
    const values = rows
      .slice(from, from + count)
      .flatMap((row) => COLUMNS.map((name) => row[name]));
    statements.push({ text: upsertText(count), values });
    from += count;
  }
  return statements;
}

/** The nonces that were used in a place after this moment, at most so many of the newest, the oldest first. */
export async function selectUsedAfter(
  db: Reader,
  { place, afterMs }: { readonly place: string; readonly afterMs: number },
  most: number,
): Promise<readonly UsedNonce[]> {
  const rows = await db
    .selectFrom('used_nonces')
    .selectAll()
    .where('used_at_ms', '>', afterMs)
    .where('place', '=', place)
    .orderBy('used_at_ms', 'desc')
    .limit(most)
    .execute();
  return rows.toReversed().map(usedOf);
}

/** Remembers a nonce, unless it was used after this moment. Returns whether it is remembered. */
export async function insertNonce(db: Writer, used: UsedNonce, afterMs: number): Promise<boolean> {
  const inserted = await db
    .insertInto('used_nonces')
    .values(rowOf(used))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'place', 'nonce'])
        .doUpdateSet((eb) => ({
          result_id: eb.ref('excluded.result_id'),
          used_at_ms: eb.ref('excluded.used_at_ms'),
        }))
        .where('used_nonces.used_at_ms', '<=', afterMs),
    )
    .returning('result_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** What was created with a nonce. */
export async function selectResult(
  db: Reader,
  { place, userId, nonce }: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>,
): Promise<Id | undefined> {
  const row = await db
    .selectFrom('used_nonces')
    .select('result_id')
    .where('user_id', '=', userId)
    .where('place', '=', place)
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return row === undefined ? undefined : storedId(row.result_id);
}

/** Forgets nonces that were used before this moment or at it, at most so many. Returns how many. */
export async function deleteUsedUpTo(db: Writer, upToMs: number, most: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('used_nonces')
    // Also here, because a row may have been used again while this waited for it.
    .where('used_at_ms', '<=', upToMs)
    .where((eb) =>
      eb(
        eb.refTuple('user_id', 'place', 'nonce'),
        'in',
        eb
          .selectFrom('used_nonces')
          .select(['user_id', 'place', 'nonce'])
          .where('used_at_ms', '<=', upToMs)
          .limit(most)
          .$asTuple('user_id', 'place', 'nonce'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function upsertText(rows: number): string {
  const places = Array.from({ length: rows }, (_, row) => {
    const own = COLUMNS.map((_column, at) => `$${row * COLUMNS.length + at + 1}`);
    return `(${own.join(', ')})`;
  });
  return `insert into used_nonces (${COLUMNS.join(', ')}) values ${places.join(', ')}
    on conflict (user_id, place, nonce)
    do update set result_id = excluded.result_id, used_at_ms = excluded.used_at_ms`;
}

function rowOf({ place, userId, nonce, resultId, usedAtMs }: UsedNonce): UsedNoncesTable {
  return { place, user_id: userId, nonce, result_id: resultId, used_at_ms: usedAtMs };
}

function usedOf(row: UsedNoncesTable): UsedNonce {
  return {
    place: row.place,
    userId: storedId(row.user_id),
    nonce: row.nonce,
    resultId: storedId(row.result_id),
    usedAtMs: Number(row.used_at_ms),
  };
}
