import { compareIds, parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Selectable } from 'kysely';
import type { Reader, Statement, Transaction, Writer } from '../../ports/database/database.ts';
import type { MessageGroupsTable } from './tables.ts';

/** A message as it is kept. */
export interface StoredMessage {
  /** Counts what was dispatched, from 1. */
  readonly number: number;
  readonly message: LobbyMessage;
}

/** The end of what is written. */
export interface LastMessage {
  readonly id: Id;
  readonly number: number;
}

/** What to read: of the messages that are still kept, those on one side of the given places. */
export interface MessageRange {
  /** Messages with numbers up to this one are no longer kept. */
  readonly afterNumber: number;
  /** Older messages are no longer kept. */
  readonly sinceMs: number;
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  readonly limit: number;
  /** Which end of the range counts if there are more than `limit`. */
  readonly from: 'newest' | 'oldest';
}

/** Messages that are no longer kept. */
export type Outdated = Pick<MessageRange, 'afterNumber' | 'sinceMs'>;

interface Group {
  readonly lastNumber: number;
  readonly messages: readonly (LobbyMessage | null)[];
}

/**
 * The most that a row holds, in messages and about in UTF-16 units: reading or removing one message reads the whole
 * row.
 */
const MESSAGES_A_GROUP = 64;
const LENGTH_A_GROUP = 32 * 1024;

/** What a message takes besides its texts. */
const FRAME_LENGTH = 128;

/** Rows read at first; each further read takes twice as many. */
const FIRST_GROUPS = 4;

const COLUMNS = ['first_id', 'last_id', 'last_number', 'newest_ms', 'messages'] as const;

const DELETE_OUTDATED = `delete from message_groups where first_id in (
  select first_id from (
    select first_id, last_number, newest_ms from message_groups order by first_id limit $1
  ) as oldest where last_number <= $2 or newest_ms < $3
)`;

/** Comes after every identifier. */
const AFTER_ALL_IDS = 'after';

/** The setting whose row is locked by the process that writes to the history. */
const WRITER_SETTING = 'history_writer';

/** Digits of the largest identifier. */
const ID_DIGITS = 39;
const LEADING_ZEROS = /^0+(?=\d)/;

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
  const id = parseId(row.last_id.replace(LEADING_ZEROS, ''));
  if (id === undefined) throw new TypeError(`${row.last_id} is not an identifier`);
  return { id, number: Number(row.last_number) };
}

/** The messages of a range, the newest first. */
export async function selectMessages(
  db: Reader,
  range: MessageRange,
): Promise<readonly LobbyMessage[]> {
  const { limit, from } = range;
  const found: LobbyMessage[] = [];
  let beyond: string | undefined;
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
  const rows = groupsIn(messages).map(rowOf);
  const values = rows.flatMap((row) => COLUMNS.map((column) => row[column]));
  const places = rows.map((_, row) => {
    const own = COLUMNS.map((_column, at) => `$${row * COLUMNS.length + at + 1}`);
    return `(${own.join(', ')})`;
  });
  const text = `insert into message_groups (${COLUMNS.join(', ')}) values ${places.join(', ')}`;
  return { statement: { text, values }, rows: rows.length };
}

/** The approximate length of a message's text, in UTF-16 units. */
export function lengthOf({ message: { author, content } }: StoredMessage): number {
  return author.length + content.length + FRAME_LENGTH;
}

/**
 * Empties the place of a message and returns whether there was one with this id. Its number stays, so that no message
 * that was beyond the limit comes back in its place.
 */
export async function eraseMessage(db: Writer, id: Id): Promise<boolean> {
  const row = await db
    .selectFrom('message_groups')
    .selectAll()
    .where('first_id', '<=', sortable(id))
    .orderBy('first_id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  const { messages } = groupOf(row);
  const left = messages.map((message) => (message?.id === id ? null : message));
  if (left.every((message, index) => message === messages[index])) return false;
  await db
    .updateTable('message_groups')
    .set({ messages: JSON.stringify(left) })
    .where('first_id', '=', row.first_id)
    .execute();
  return true;
}

/** Statements that delete messages which are no longer kept, at most `limit` rows and the oldest first. */
export function deleteStatement({ afterNumber, sinceMs }: Outdated, limit: number): Statement {
  return { text: DELETE_OUTDATED, values: [limit, afterNumber, sinceMs] };
}

/** Runs statements one after another. Returns how many rows each one changed. */
export async function runStatements(
  tx: Transaction,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const changed: number[] = [];
  for (const statement of statements) changed.push(await tx.run(statement));
  return changed;
}

/**
 * Takes the right to write to the history until the transaction ends; false if another process has it. It is a lock on
 * a row: a process that does not get it continues at once, and the right ends with the process that holds it.
 */
export async function tryLockHistory(db: Writer): Promise<boolean> {
  if (await lockWriterRow(db)) return true;
  await db
    .insertInto('settings')
    .values({ name: WRITER_SETTING, value: '' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return lockWriterRow(db);
}

async function lockWriterRow(db: Writer): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('name')
    .where('name', '=', WRITER_SETTING)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a message of this number is in the range. */
export function isWithin(range: Omit<MessageRange, 'limit' | 'from'>, number: number) {
  const { afterNumber, sinceMs, after, before } = range;
  return ({ id, created_at }: LobbyMessage) =>
    number > afterNumber &&
    created_at >= sinceMs &&
    (after === undefined || compareIds(id, after) > 0) &&
    (before === undefined || compareIds(id, before) < 0);
}

function groupsOf(
  db: Reader,
  { afterNumber, sinceMs, after, before, from }: MessageRange,
  beyond: string | undefined,
) {
  let query = db
    .selectFrom('message_groups')
    .selectAll()
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
    .orderBy('first_id', from === 'newest' ? 'desc' : 'asc');
  if (before !== undefined) query = query.where('first_id', '<', sortable(before));
  if (beyond !== undefined) {
    query = query.where('first_id', from === 'newest' ? '<' : '>', beyond);
  }
  if (after === undefined) return query;
  // Groups follow each other, so the one that begins before a place is the first that may reach beyond it.
  return query.where('last_id', '>', sortable(after)).where('first_id', '>=', (begin) =>
    begin.fn.coalesce(
      db
        .selectFrom('message_groups')
        .select((group) => group.fn.max('first_id').as('first_id'))
        .where('first_id', '<=', sortable(after)),
      begin.val(''),
    ),
  );
}

function messagesWithin(range: MessageRange, { lastNumber, messages }: Group): LobbyMessage[] {
  const firstNumber = lastNumber - messages.length + 1;
  return messages.filter(
    (message, index): message is LobbyMessage =>
      message !== null && isWithin(range, firstNumber + index)(message),
  );
}

function groupsIn(messages: readonly StoredMessage[]): StoredMessage[][] {
  const groups: StoredMessage[][] = [];
  let group: StoredMessage[] = [];
  let length = 0;
  for (const message of messages) {
    if (group.length === MESSAGES_A_GROUP || length > LENGTH_A_GROUP) [group, length] = [[], 0];
    if (group.length === 0) groups.push(group);
    group.push(message);
    length += lengthOf(message);
  }
  return groups;
}

function rowOf(stored: readonly StoredMessage[]): MessageGroupsTable {
  const messages = stored.map(({ message }) => message);
  const [first, last] = [stored[0], stored.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('a group without messages');
  return {
    first_id: sortable(first.message.id),
    last_id: sortable(last.message.id),
    last_number: last.number,
    newest_ms: Math.max(...messages.map(({ created_at }) => created_at)),
    messages: JSON.stringify(messages),
  };
}

// Guarantee: what is stored was made from messages.
function groupOf({ last_number, messages }: Selectable<MessageGroupsTable>): Group {
  return {
    lastNumber: Number(last_number),
    messages: JSON.parse(messages) as (LobbyMessage | null)[],
  };
}

function sortable(id: Id): string {
  return id.padStart(ID_DIGITS, '0');
}
