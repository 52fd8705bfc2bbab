import type { Id } from '@hearth/protocol';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { TurnsTable } from './tables.ts';

// How features take a turn in a place, which is locked from then on until the transaction ends.

/** Begins the turns of a new place. */
export async function insertTurn(db: Writer, id: Id): Promise<void> {
  const row = { id, number: 0, last_id: '' as const, last_at_ms: 0, version: 1, closed: 0 };
  await db.insertInto('turns').values(row).execute();
}

/** Ends the turns of a place that is deleted; its last events still get numbers. */
export async function closeTurn(db: Writer, id: Id): Promise<void> {
  await db.updateTable('turns').set({ closed: 1 }).where('id', '=', id).execute();
}

/** Raises the versions of places, so that a process that remembers other ones finds out what is true. */
export async function raiseVersions(db: Writer, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('turns')
    .set((own) => ({ version: own('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
}

/** The id of the newest message or post of a place; undefined if there was none. */
export async function selectLastId(db: Reader, id: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('turns')
    .select('last_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined || row.last_id === '' ? undefined : row.last_id;
}

/**
 * Takes as many numbers of the next events of each place as it says, and locks the places until the transaction ends. Returns the
 * last number of each.
 */
export async function nextNumbers(
  db: Writer,
  counts: ReadonlyMap<Id, number>,
): Promise<ReadonlyMap<Id, number>> {
  const taken = new Map<Id, number>();
  if (counts.size > 1) await holdRows(db, [...counts.keys()]);
  // Nearly all get one or two.
  for (const [count, some] of Map.groupBy(counts, ([, each]) => each)) {
    const ids = some.map(([id]) => id);
    const rows = await db
      .updateTable('turns')
      .set((own) => ({ number: own('number', '+', count) }))
      .where('id', 'in', ids)
      .returning(['id', 'number'])
      .execute();
    for (const { id, number } of rows) taken.set(id, number);
  }
  return taken;
}

const LOCK = `update turns set number = number + 1
  where id = $1 and closed = 0 returning number, version, last_id as "lastId"`;

// One statement, because others may take their turn before a transaction that waits for the row a second time.
const LOCK_FOR_NEW = `update turns set number = number + taken,
  last_id = case when last_id < first_id then newest_id else last_id end,
  last_at_ms = case when last_at_ms < now_ms or last_at_ms > latest_ms then now_ms else last_at_ms end
  from given where id = place_id and closed = 0
  returning id, number, version, last_id as "lastId", last_at_ms as "writtenAtMs"`;

const NEW = {
  place_id: 'text',
  taken: 'bigint',
  first_id: 'text',
  newest_id: 'text',
  now_ms: 'bigint',
  latest_ms: 'bigint',
} as const;

const SET_LAST = `update turns set last_id = $1,
  last_at_ms = case when last_at_ms < $2 or last_at_ms > $3 then $4 else last_at_ms end
  where id = $5 returning last_at_ms`;

/** A place that is locked until the transaction ends. */
export interface LockedTurn {
  /** The number of its next event, which is taken. */
  readonly number: number;
  /** Another one than a process remembers if that is out of date. */
  readonly version: number;
  /** The id of its newest message or post; empty if there was none. */
  readonly lastId: Id | '';
}

/** Takes the number of the next event of a place, whatever its version; undefined if it was deleted. */
export async function lockTurn(tx: Transaction, id: Id): Promise<LockedTurn | undefined> {
  const [place] = await tx.rows<LockedTurn>({ text: LOCK, values: [id] });
  return place;
}

/** New messages or posts of a place, whose ids were drawn in this order. */
interface NewInPlace {
  readonly placeId: Id;
  readonly ids: readonly Id[];
}

/** A place that is locked for new messages or posts. */
export interface LockedForNew extends LockedTurn {
  /** When they are written: now, but not before the newest one. */
  readonly writtenAtMs: number;
}

/**
 * Locks places as {@link lockTurn} does, and takes a number for each of their new messages or posts: `number` is the last one. If the
 * first id of a place is greater than that of its newest one, the last id is the newest from then on: `lastId` is this id. Otherwise the
 * caller gives them greater ones, and notes that. Returns the places that there are.
 */
export async function lockTurnsFor(
  tx: Transaction,
  entries: readonly NewInPlace[],
  nowMs: number,
): Promise<ReadonlyMap<Id, LockedForNew>> {
  const rows = await tx.many<LockedForNew & Pick<TurnsTable, 'id'>>({
    text: LOCK_FOR_NEW,
    columns: NEW,
    rows: entries.map(({ placeId, ids }) => {
      const [first = '', newest = first] = [ids[0], ids.at(-1)];
      return [placeId, ids.length, first, newest, nowMs, latestMoment(nowMs)];
    }),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Notes the newest message or post of a place that is locked. Returns when it is written: now, but not before the one before it. */
export async function setLast(
  tx: Transaction,
  id: Id,
  { lastId, nowMs }: { readonly lastId: Id; readonly nowMs: number },
): Promise<number> {
  const values = [lastId, nowMs, latestMoment(nowMs), nowMs, id];
  const [row] = await tx.rows<Pick<TurnsTable, 'last_at_ms'>>({ text: SET_LAST, values });
  return row?.last_at_ms ?? nowMs;
}

/** Locks places without taking numbers: for those who find out then whether they have events for them. */
export function holdTurns({ sql }: Transaction, ids: readonly Id[]): Promise<void> {
  return holdRows(sql, ids);
}

async function holdRows(db: Writer, ids: readonly Id[]): Promise<void> {
  await db
    .selectFrom('turns')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
