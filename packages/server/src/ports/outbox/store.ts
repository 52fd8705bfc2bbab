import type { AccessEnd, BusEvent, Publication } from '../bus/bus.ts';
import type { Reader, Transaction, Writer } from '../database/database.ts';

/** A publication, and its place in the order of its subject. */
export interface Emission {
  readonly subject: string;
  /** The first of a subject has number 1, the next one 2, and so on. */
  readonly number: number;
  readonly publication: Publication;
}

/** The number of subjects that one statement deletes. SQLite allows about a thousand conditions in a statement. */
const SUBJECTS_AT_ONCE = 128;

/**
 * Takes as many of the next numbers of each subject as it says, and locks the subjects' rows until the transaction ends.
 * Returns the last number of each.
 */
export async function takeNumbers(
  db: Writer,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const ordered = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const taken = new Map<string, number>();
  for (let from = 0; from < ordered.length; from += SUBJECTS_AT_ONCE) {
    const some = ordered.slice(from, from + SUBJECTS_AT_ONCE);
    const rows = await db
      .insertInto('subjects')
      .values(some.map(([subject, number]) => ({ subject, number })))
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((own) => ({
          number: own('subjects.number', '+', own.ref('excluded.number')),
        })),
      )
      .returning(['subject', 'number'])
      .execute();
    for (const { subject, number } of rows) taken.set(subject, Number(number));
  }
  return taken;
}

const INSERT = 'insert into outbox (subject, number, stream, entry) values ($1, $2, $3, $4)';

const INSERT_MANY = `insert into outbox (subject, number, stream, entry)
  select subject, number, stream, entry from given`;

const ROW = { subject: 'text', number: 'bigint', stream: 'text', entry: 'text' } as const;

/** Stores emissions as rows. */
export async function insertRows(tx: Transaction, emissions: readonly Emission[]): Promise<void> {
  const rows = emissions.map(
    ({ subject, number, publication: { stream, ...entry } }) =>
      [subject, number, stream, JSON.stringify(entry)] as const,
  );
  const [first, second] = rows;
  if (first === undefined) return;
  // Most transactions have one event.
  if (second === undefined) await tx.run({ text: INSERT, values: first });
  else await tx.runMany({ text: INSERT_MANY, columns: ROW, rows });
}

const HAS_ANY_ROWS = 'select 1 from outbox limit 1';
const HAS_ROWS = 'select 1 from outbox where subject = $1 limit 1';

/** Returns which of these subjects have rows. */
export async function selectWaiting(
  tx: Transaction,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>();
  // Nearly always there are none.
  if ((await tx.rows({ text: HAS_ANY_ROWS, values: [] })).length === 0) return waiting;
  // Most transactions have events of one subject, and a statement that is kept prepared costs a fraction of a query.
  for (const subject of new Set(subjects)) {
    const rows = await tx.rows({ text: HAS_ROWS, values: [subject] });
    if (rows.length > 0) waiting.add(subject);
  }
  return waiting;
}

/** Returns the first rows of a subject after a number, in order. */
export function selectRowsOf(
  db: Reader,
  { subject, after }: { readonly subject: string; readonly after: number },
  limit: number,
): Promise<readonly Emission[]> {
  const rows = rowsInOrder(db, limit).where('subject', '=', subject);
  return rowsOf(rows.where('number', '>', after));
}

/** Returns the first rows of the subjects that sort after `subject`, in order within each subject. */
export function selectRowsAfter(
  db: Reader,
  subject: string,
  limit: number,
): Promise<readonly Emission[]> {
  return rowsOf(rowsInOrder(db, limit).where('subject', '>', subject));
}

/** Deletes the rows of each subject up to and including its number. */
export async function deleteRows(db: Writer, upTo: ReadonlyMap<string, number>): Promise<void> {
  const ordered = [...upTo].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (let from = 0; from < ordered.length; from += SUBJECTS_AT_ONCE) {
    const some = ordered.slice(from, from + SUBJECTS_AT_ONCE);
    await db
      .deleteFrom('outbox')
      .where((eb) =>
        eb.or(
          some.map(([subject, number]) =>
            eb.and([eb('subject', '=', subject), eb('number', '<=', number)]),
          ),
        ),
      )
      .execute();
  }
}

function rowsInOrder(db: Reader, limit: number) {
  return db.selectFrom('outbox').selectAll().orderBy('subject').orderBy('number').limit(limit);
}

async function rowsOf(query: ReturnType<typeof rowsInOrder>): Promise<readonly Emission[]> {
  const rows = await query.execute();
  return rows.map(({ subject, number, stream, entry }) => ({
    subject,
    number: Number(number),
    publication: { stream, ...entryOf(entry) },
  }));
}

// Guarantee: `insertRows` wrote it.
function entryOf(text: string): { event: BusEvent } | { end: AccessEnd } {
  return JSON.parse(text) as { event: BusEvent } | { end: AccessEnd };
}
