import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Reader, Statement, Writer } from '../../../ports/database/database.ts';
import { isUpwards, type IdRange } from '../../../ports/database/id-range.ts';
import { evenly, readRows } from '../../../ports/database/read-rows.ts';
import { tryLockSetting } from '../../platform/settings/settings.ts';
import {
  groupOf,
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

/** Selects the row with a message. */
const GROUP_OF = 'select max(first_id) from message_groups where first_id <= ';

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

/** The id with which the first row begins. Undefined if there is none. */
export async function selectOldestId(db: Reader): Promise<Id | undefined> {
  const row = await db
    .selectFrom('message_groups')
    .select('first_id')
    .orderBy('first_id')
    .limit(1)
    .executeTakeFirst();
  return row?.first_id;
}

/** Messages by their ids, in no order. */
export async function selectById(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly StoredMessage[]> {
  if (ids.length === 0) return [];
  const some = evenly(ids);
  const places = some.map((_, at) => `(${GROUP_OF}$${at + 1})`);
  const rows = await readRows<Pick<MessageGroupsTable, 'last_number' | 'messages'>>(db, {
    text: `select last_number, messages from message_groups where first_id in (${places.join()})`,
    values: some,
  });
  const wanted = new Set(ids);
  return rows.flatMap((row) => storedAt(row, wanted));
}

/** The messages of a range, the newest first. */
export async function selectMessages(
  db: Reader,
  range: MessageRange,
): Promise<readonly LobbyMessage[]> {
  return (await selectStored(db, range)).map(({ message }) => message);
}

/** All messages of a range, even if they are no longer kept, the newest first. */
export function selectAll(db: Reader, range: IdRange): Promise<readonly StoredMessage[]> {
  const { after, before, limit } = range;
  const from = isUpwards(range) ? 'oldest' : 'newest';
  return selectStored(db, { afterNumber: 0, sinceMs: 0, after, before, limit, from });
}

async function selectStored(db: Reader, range: MessageRange): Promise<readonly StoredMessage[]> {
  const { limit, from } = range;
  const found: StoredMessage[] = [];
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

function messagesWithin(range: MessageRange, group: Group): readonly StoredMessage[] {
  return storedIn(group).filter(({ number, message }) => isWithin(range, number)(message));
}

const groups = (db: Reader) => db.selectFrom('message_groups').selectAll();
