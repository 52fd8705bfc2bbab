import type { AccessEnd, BusEvent, Publication } from '../bus/bus.ts';
import type { Reader, Transaction, Writer } from '../database/database.ts';

/** A publication, and its place in the order of its subject. */
export interface Emission {
  readonly subject: string;
  /** The first of a subject has number 1, the next one 2, and so on. */
  readonly number: number;
  readonly publication: Publication;
}

/** How many subjects one statement deletes. SQLite allows about a thousand conditions in a statement. */
const SUBJECTS_AT_ONCE = 128;

/** Takes the next number of a subject, and locks the subject's row until the transaction ends. */
export async function takeNumber(db: Writer, subject: string): Promise<number> {
  const { number } = await db
    .insertInto('subjects')
    .values({ subject, number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet(({ eb }) => ({ number: eb('subjects.number', '+', 1) })),
    )
    .returning('number')
    .executeTakeFirstOrThrow();
  return Number(number);
}

const INSERT = 'insert into outbox (subject, number, stream, entry) values ($1, $2, $3, $4)';

/** Stores emissions as rows. */
export async function insertRows(tx: Transaction, emissions: readonly Emission[]): Promise<void> {
  for (const { subject, number, publication } of emissions) {
    const { stream, ...entry } = publication;
    await tx.run({ text: INSERT, values: [subject, number, stream, JSON.stringify(entry)] });
  }
}

const HAS_ROWS = 'select 1 from outbox where subject = $1 limit 1';

/** Returns which of these subjects have rows. */
export async function selectWaiting(
  tx: Transaction,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>();
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
  // Always in the same order, so that processes do not deadlock.
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
