import type { Id } from '@hearth/protocol';
import type { Reader, Statement, Transaction, Writer } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { UsedNonce } from './used-nonce.ts';

/** A nonce of a group, which is for one place. */
type GroupedNonce = Pick<UsedNonce, 'userId' | 'nonce' | 'resultId'>;

/** Groups read at once; one may have some thousand nonces. */
const GROUPS_AT_ONCE = 64;

const INSERT_GROUP =
  'insert into nonce_groups (place, last_id, used_at_ms, nonces) values ($1, $2, $3, $4)';

/** A statement that remembers nonces which were used in one place, in the order of use. */
export function insertGroup(used: readonly UsedNonce[]): Statement {
  const last = used.at(-1);
  if (last === undefined) throw new TypeError('a group without nonces');
  const nonces = JSON.stringify(used.flatMap((each) => [each.userId, each.nonce, each.resultId]));
  const usedAtMs = Math.max(...used.map((each) => each.usedAtMs));
  return { text: INSERT_GROUP, values: [last.place, last.resultId, usedAtMs, nonces] };
}

/**
 * The nonces of groups that were used in a place after this moment, the newest first. Ends after the group with which there
 * are `most`.
 */
export async function selectGroupedAfter(
  db: Reader,
  { place, afterMs }: { readonly place: string; readonly afterMs: number },
  most: number,
): Promise<readonly GroupedNonce[]> {
  const found: GroupedNonce[] = [];
  for (let read = 0; found.length < most; read += GROUPS_AT_ONCE) {
    const rows = await db
      .selectFrom('nonce_groups')
      .select('nonces')
      .where('used_at_ms', '>', afterMs)
      .where('place', '=', place)
      .orderBy('used_at_ms', 'desc')
      .orderBy('last_id', 'desc')
      .limit(GROUPS_AT_ONCE)
      .offset(read)
      .execute();
    for (const { nonces } of rows) found.push(...groupedIn(nonces).toReversed());
    if (rows.length < GROUPS_AT_ONCE) break;
  }
  return found;
}

const REMEMBER = `insert into used_nonces (user_id, place, nonce, result_id, used_at_ms)
  values ($1, $2, $3, $4, $5)
  on conflict (user_id, place, nonce) do update
  set result_id = excluded.result_id, used_at_ms = excluded.used_at_ms
  where used_nonces.used_at_ms <= $6`;

/** Remembers a nonce, unless it was used after this moment. Returns whether it is remembered. */
export async function insertNonce(
  tx: Transaction,
  { userId, place, nonce, resultId, usedAtMs }: UsedNonce,
  afterMs: number,
): Promise<boolean> {
  const values = [userId, place, nonce, resultId, usedAtMs, afterMs];
  return (await tx.run({ text: REMEMBER, values })) > 0;
}

/** What was created with a nonce after this moment. */
export async function selectResult(
  db: Reader,
  { place, userId, nonce }: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>,
  afterMs: number,
): Promise<Id | undefined> {
  const row = await db
    .selectFrom('used_nonces')
    .select('result_id')
    .where('user_id', '=', userId)
    .where('place', '=', place)
    .where('nonce', '=', nonce)
    .where('used_at_ms', '>', afterMs)
    .executeTakeFirst();
  return row === undefined ? undefined : storedId(row.result_id);
}

/** Replaces what was created with a nonce. */
export async function updateResult(
  db: Writer,
  { place, userId, nonce, resultId }: UsedNonce,
): Promise<void> {
  await db
    .updateTable('used_nonces')
    .set({ result_id: resultId })
    .where('user_id', '=', userId)
    .where('place', '=', place)
    .where('nonce', '=', nonce)
    .execute();
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

/** Forgets groups of nonces that were used before this moment or at it, at most so many. Returns how many. */
export async function deleteGroupsUpTo(db: Writer, upToMs: number, most: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('nonce_groups')
    .where((eb) =>
      eb(
        eb.refTuple('place', 'last_id'),
        'in',
        eb
          .selectFrom('nonce_groups')
          .select(['place', 'last_id'])
          .where('used_at_ms', '<=', upToMs)
          .limit(most)
          .$asTuple('place', 'last_id'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function groupedIn(nonces: string): readonly GroupedNonce[] {
  // Guarantee: what is stored was made by `insertGroup`.
  const texts = JSON.parse(nonces) as readonly string[];
  return Array.from({ length: texts.length / 3 }, (_, at) => {
    const [userId = '', nonce = '', resultId = ''] = texts.slice(3 * at, 3 * at + 3);
    return { userId: storedId(userId), nonce, resultId: storedId(resultId) };
  });
}
