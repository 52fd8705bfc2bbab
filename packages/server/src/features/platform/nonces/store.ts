import { NONCE_REMEMBERED_MS, type Id } from '@hearth/protocol';
import { storedId } from '../../../ports/database/stored-id.ts';
import type { Reader, Statement, Transaction } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';

export interface UsedNonce {
  /** The place where it was created, as the name of a stream, such as `lobby`. Places do not share nonces. */
  readonly place: string;
  readonly userId: Id;
  readonly nonce: string;
  readonly resultId: Id;
  /** Unix milliseconds. */
  readonly usedAtMs: number;
}

/** The key by which the bus knows a nonce. */
export function nonceKey({
  place,
  userId,
  nonce,
}: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>): string {
  return `${place} ${userId} ${nonce}`;
}

/** Nonces that were used at this moment or before it are forgotten. */
export function forgottenAtMs(nowMs: number): number {
  return nowMs - NONCE_REMEMBERED_MS;
}

/** A nonce of a group, which is for one place. */
type GroupedNonce = Pick<UsedNonce, 'userId' | 'nonce' | 'resultId'>;

/** Groups read at once; one may have some thousand nonces. */
const GROUPS_AT_ONCE = 64;

const INSERT_GROUP =
  'insert into nonce_groups (place, last_id, used_at_ms, nonces) values ($1, $2, $3, $4)';

/**
 * Statements that remember nonces which were used in one place, in the order of use, for the transaction that stores what was
 * created with them. Only a bus can use them, by `listAppended`.
 */
export function rememberNonces(used: readonly UsedNonce[]): readonly Statement[] {
  const last = used.at(-1);
  if (last === undefined) return [];
  const nonces = JSON.stringify(used.flatMap((each) => [each.userId, each.nonce, each.resultId]));
  const usedAtMs = Math.max(...used.map((each) => each.usedAtMs));
  return [{ text: INSERT_GROUP, values: [last.place, last.resultId, usedAtMs, nonces] }];
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

const REMEMBER_MANY = `insert into used_nonces (user_id, place, nonce, result_id, used_at_ms)
  select user_id, place, nonce, result_id, used_at_ms from given where true
  on conflict (user_id, place, nonce) do update
  set result_id = excluded.result_id, used_at_ms = excluded.used_at_ms
  where used_nonces.used_at_ms <= excluded.used_at_ms - ${NONCE_REMEMBERED_MS}`;

const MANY = {
  user_id: 'text',
  place: 'text',
  nonce: 'text',
  result_id: 'text',
  used_at_ms: 'bigint',
} as const;

/** Remembers nonces, each of which is there once, unless they were used a short time ago. Returns how many are remembered. */
export async function insertNonces(tx: Transaction, used: readonly UsedNonce[]): Promise<number> {
  return await tx.runMany({ text: REMEMBER_MANY, columns: MANY, rows: used.map(rowOf) });
}

const SELECT_MANY = `select used_nonces.user_id as "userId", used_nonces.place, used_nonces.nonce,
    used_nonces.result_id as "resultId"
  from given join used_nonces on used_nonces.user_id = given.user_id
    and used_nonces.place = given.place and used_nonces.nonce = given.nonce`;

/** Reads what was created with those of the nonces that are stored. */
export async function selectResults(
  tx: Transaction,
  used: readonly UsedNonce[],
): Promise<readonly Omit<UsedNonce, 'usedAtMs'>[]> {
  return await tx.many<Omit<UsedNonce, 'usedAtMs'>>({
    text: SELECT_MANY,
    columns: MANY,
    rows: used.map(rowOf),
  });
}

const CORRECT_MANY = `update used_nonces set result_id = given.result_id from given
  where used_nonces.user_id = given.user_id and used_nonces.place = given.place and used_nonces.nonce = given.nonce`;

/** Replaces what nonces create, in the transaction that has claimed them. */
export async function correctNonces(tx: Transaction, used: readonly UsedNonce[]): Promise<void> {
  await tx.runMany({ text: CORRECT_MANY, columns: MANY, rows: used.map(rowOf) });
}

function rowOf({ userId, place, nonce, resultId, usedAtMs }: UsedNonce) {
  return [userId, place, nonce, resultId, usedAtMs] as const;
}

/** Finds what a nonce created, if it is remembered at `usedAtMs`. */
export async function findResult(
  db: Reader,
  { place, userId, nonce, usedAtMs }: Omit<UsedNonce, 'resultId'>,
): Promise<Id | undefined> {
  const row = await db
    .selectFrom('used_nonces')
    .select('result_id')
    .where('user_id', '=', userId)
    .where('place', '=', place)
    .where('nonce', '=', nonce)
    .where('used_at_ms', '>', forgottenAtMs(usedAtMs))
    .executeTakeFirst();
  return row?.result_id;
}

/** Nonces, and groups of them, that were used before this moment or at it, in the order in which they are forgotten. */
export function sweptNonces(upToMs: number): readonly Swept[] {
  const order = { where: {}, order: ['used_at_ms'], before: upToMs + 1 };
  return [
    { table: 'used_nonces', ...order },
    { table: 'nonce_groups', ...order },
  ];
}

function groupedIn(nonces: string): readonly GroupedNonce[] {
  // Guarantee: what is stored was made by `insertGroup`.
  const texts = JSON.parse(nonces) as readonly string[];
  return Array.from({ length: texts.length / 3 }, (_, at) => {
    const [userId = '', nonce = '', resultId = ''] = texts.slice(3 * at, 3 * at + 3);
    return { userId: storedId(userId), nonce, resultId: storedId(resultId) };
  });
}
