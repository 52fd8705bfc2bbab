import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import { idAfter, type Id, type LobbyMessage } from '@hearth/protocol';
import { CompiledQuery } from 'kysely';
import type { Reader, Statement, Writer } from '../../../ports/database/database.ts';
import { tryLockSetting } from '../../platform/settings/settings.ts';
import {
  groupOf,
  MESSAGES_A_GROUP,
  rowsOf,
  storedAt,
  storedIn,
  type Group,
  type StoredMessage,
} from './message-groups.ts';
import { isWithin, type MessageRange, type Outdated } from './message-range.ts';
import type { MessageGroupsTable } from './tables.ts';

/** The end of what is written. */
export interface LastMessage {
  readonly id: Id;
  readonly number: number;
}

/** Rows read at first; each further read takes twice as many. */
const FIRST_GROUPS = 4;

/** The numbers of messages that a statement looks up by their numbers. */
const NUMBERS_AT_ONCE = [1, 4, 16, 64, 512] as const;

const COLUMNS = ['first_id', 'last_id', 'last_number', 'newest_ms', 'messages'] as const;

const DELETE_OUTDATED = `delete from message_groups where first_id in (
  select first_id from (
    select first_id, last_number, newest_ms from message_groups order by first_id limit $1
  ) as oldest where last_number <= $2 or newest_ms < $3
)`;

/** Comes after every identifier. */
const AFTER_ALL_IDS = storedId('9'.repeat(39));

/** The setting whose row is locked by the process that writes to the history. */
const WRITER_SETTING = 'history_writer';

/** The largest number that any message was ever kept with, or 0. */
export async function selectLastNumber(db: Reader): Promise<number> {
  return (await selectLast(db))?.number ?? 0;
}

/** The message that was written last, even if it was removed since. */
export async function selectLast(db: Reader): Promise<LastMessage | undefined> {
  const row = await db
    .selectFrom('message_groups')
    .select(['last_id', 'last_number'])
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { id: row.last_id, number: Number(row.last_number) };
}

/** The number of the last message in the first row that begins after an identifier. */
export function selectNumberAfter(db: Reader, id: Id): Promise<number | undefined> {
  return numberOf(groups(db).where('first_id', '>', id).orderBy('first_id'));
}

/** The number of the last message in the last row that begins before an identifier. */
export function selectNumberBefore(db: Reader, id: Id): Promise<number | undefined> {
  return numberOf(groups(db).where('first_id', '<', id).orderBy('first_id', 'desc'));
}

/** A number that is smaller than those of all messages after an identifier; 0 if it is not known. */
export async function selectNumberUpTo(db: Reader, id: Id): Promise<number> {
  // The last row that begins before it may end after it.
  const last = (await selectNumberBefore(db, id)) ?? 0;
  return Math.max(0, last - MESSAGES_A_GROUP);
}

/** A number that is at most that of the oldest message. Undefined if there is none. */
export async function selectOldestNumber(db: Reader): Promise<number | undefined> {
  const last = await numberOf(groups(db).orderBy('first_id'));
  return last === undefined ? undefined : Math.max(1, last - MESSAGES_A_GROUP + 1);
}

/** The messages with numbers from `first` to `last`. */
export async function selectNumberRange(
  db: Reader,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly StoredMessage[]> {
  const rows = await groups(db)
    .where('last_number', '>=', first)
    .where('last_number', '<', last + MESSAGES_A_GROUP)
    .orderBy('last_number')
    .execute();
  const stored = rows.flatMap((row) => storedIn(groupOf(row)));
  return stored.filter(({ number }) => number >= first && number <= last);
}

/** An identifier that comes after all messages with smaller numbers, and before or at this one. */
export async function selectIdFrom(db: Reader, number: number): Promise<Id | undefined> {
  const row = await groups(db)
    .where('last_number', '>=', number)
    .orderBy('last_number')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const first = storedIn(groupOf(row)).find((stored) => stored.number >= number);
  return first?.message.id ?? idAfter(row.last_id);
}

export async function selectNumbers(
  db: Reader,
  numbers: readonly number[],
): Promise<readonly StoredMessage[]> {
  if (numbers.length === 0) return [];
  // A number may be repeated, so that there are few statements.
  const count = NUMBERS_AT_ONCE.find((each) => each >= numbers.length) ?? numbers.length;
  const values = Array.from({ length: count }, (_, at) => numbers[at] ?? numbers[0]);
  // The text is made here, because a query builder takes longer for it than the database.
  const query = CompiledQuery.raw(selectNumbersText(count), values);
  const { rows } =
    await db.executeQuery<Pick<MessageGroupsTable, 'last_number' | 'messages'>>(query);
  const wanted = new Set(numbers);
  return rows.flatMap((row) => storedAt(row, wanted));
}

/** The messages of a range, the newest first. */
export async function selectMessages(
  db: Reader,
  range: MessageRange,
): Promise<readonly LobbyMessage[]> {
  const { limit, from } = range;
  const found: LobbyMessage[] = [];
  let beyond: Id | undefined;
  for (let count = Math.min(limit, FIRST_GROUPS); found.length < limit; count *= 2) {
    const rows = await groupsOf(db, range, beyond).limit(count).execute();
    for (const row of rows) {
      const messages = messagesWithin(range, groupOf(row));
      found.push(...(from === 'newest' ? messages.toReversed() : messages));
    }
    if (rows.length < count) break;
    beyond = rows.at(-1)?.first_id;
  }
  const wanted = found.slice(0, limit);
  return from === 'newest' ? wanted : wanted.toReversed();
}

/** Statements that keep messages, which follow all that are kept, and how many rows they take. */
export function insertStatement(messages: readonly StoredMessage[]): {
  readonly statement: Statement;
  readonly rows: number;
} {
  const rows = rowsOf(messages);
  const values = rows.flatMap((row) => COLUMNS.map((column) => row[column]));
  const places = rows.map((_, row) => {
    const own = COLUMNS.map((_column, at) => `$${row * COLUMNS.length + at + 1}`);
    return `(${own.join(', ')})`;
  });
  const text = `insert into message_groups (${COLUMNS.join(', ')}) values ${places.join(', ')}`;
  return { statement: { text, values }, rows: rows.length };
}

/** Statements that delete messages which are no longer kept, at most `limit` rows and the oldest first. */
export function deleteStatement({ afterNumber, sinceMs }: Outdated, limit: number): Statement {
  return { text: DELETE_OUTDATED, values: [limit, afterNumber, sinceMs] };
}

/**
 * Takes the right to write to the history until the transaction ends; false if another process has it. A process that does
 * not get it continues at once.
 */
export function tryLockHistory(db: Writer): Promise<boolean> {
  return tryLockSetting(db, WRITER_SETTING);
}

function groupsOf(
  db: Reader,
  { afterNumber, sinceMs, after, before, from }: MessageRange,
  beyond: Id | undefined,
) {
  let query = groups(db);
  // The first lower bound is where SQLite stops reading, so the closest one comes first.
  if (beyond !== undefined && from === 'oldest') query = query.where('first_id', '>', beyond);
  if (after !== undefined) {
    // Groups follow each other, so the one that begins before a place is the first that may reach beyond it.
    query = query.where('last_id', '>', after).where('first_id', '>=', (begin) =>
      begin.fn.coalesce(
        db
          .selectFrom('message_groups')
          .select((group) => group.fn.max('first_id').as('first_id'))
          .where('first_id', '<=', after),
        begin.val(NO_ID),
      ),
    );
  }
  if (before !== undefined) query = query.where('first_id', '<', before);
  if (beyond !== undefined && from === 'newest') query = query.where('first_id', '<', beyond);
  return (
    query
      // Many messages that are no longer kept may not be deleted yet: those are not even read.
      .where('first_id', '>=', (begin) =>
        begin.fn.coalesce(
          begin
            .selectFrom('message_groups')
            .select('first_id')
            .where('last_number', '>', afterNumber)
            .orderBy('last_number')
            .limit(1),
          begin.val(AFTER_ALL_IDS),
        ),
      )
      .where('newest_ms', '>=', sinceMs)
      .orderBy('first_id', from === 'newest' ? 'desc' : 'asc')
  );
}

function messagesWithin(range: MessageRange, group: Group): LobbyMessage[] {
  return storedIn(group)
    .filter(({ number, message }) => isWithin(range, number)(message))
    .map(({ message }) => message);
}

function selectNumbersText(count: number): string {
  const wanted = Array.from({ length: count }, (_, at) => `(cast($${at + 1} as bigint))`);
  return `select last_number, messages from message_groups where first_id in (
    select (
      select first_id from message_groups where last_number >= wanted.column1
      order by last_number limit 1
    ) from (values ${wanted.join(', ')}) as wanted
  )`;
}

const groups = (db: Reader) => db.selectFrom('message_groups').selectAll();

/** The number of the first row. The messages of a row are many times as large, so they are not read. */
async function numberOf(query: ReturnType<typeof groups>): Promise<number | undefined> {
  const row = await query.clearSelect().select('last_number').limit(1).executeTakeFirst();
  return row === undefined ? undefined : Number(row.last_number);
}
