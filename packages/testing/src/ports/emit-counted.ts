import { formatId, idParts, type Id } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Database } from '../../../server/src/ports/database/database.ts';
import type { EmittingTransaction } from '../../../server/src/ports/outbox/outbox.ts';
import type { Recorder } from './bus-recorder.ts';

/** Counts in a row of the subject's, and emits the count: what is published is whole and in order if it is 1, 2, 3 … */
export async function emitCounted(tx: EmittingTransaction, subject: string): Promise<number> {
  const { rows } = await sql<{ readonly value: string }>`
    insert into settings (name, value) values (${`count ${subject}`}, '1')
    on conflict (name) do update set value = cast(cast(settings.value as integer) + 1 as text)
    returning value`.execute(tx.sql);
  const n = Number(rows[0]?.value);
  await tx.emit({ stream: 'c:1', event: { op: 'COUNTED', d: { subject, n } } }, { subject });
  return n;
}

/** Emits a counted event, followed by a control entry that ends the access of a user with the same number. */
export async function emitCountedAndEnd(tx: EmittingTransaction, subject: string): Promise<void> {
  const n = await emitCounted(tx, subject);
  await tx.emit({ stream: endsOf(subject), end: { user: userOf(n) } }, { subject });
}

/** Returns what a follower was handed of a subject, such as `event 1` and `end 1`. */
export function entriesIn({ all }: Recorder, subject: string): readonly string[] {
  return all.flatMap((delivery) => {
    if ('event' in delivery) {
      const { d } = delivery.event;
      return 'n' in d && 'subject' in d && d.subject === subject ? [`event ${String(d.n)}`] : [];
    }
    const { stream, end } = delivery;
    if (stream !== endsOf(subject) || !('user' in end)) return [];
    return [`end ${idParts(end.user).seconds}`];
  });
}

function endsOf(subject: string): string {
  return `ends:${subject.replaceAll(' ', '-')}`;
}

function userOf(n: number): Id {
  return formatId({ seconds: n, instanceId: 1, sequence: 1 });
}

/** Returns the numbers of the events that a follower was handed of a subject. */
export function numbersIn({ taken }: Recorder, subject: string): readonly number[] {
  return taken.flatMap(({ event: { d } }) =>
    'n' in d && 'subject' in d && d.subject === subject ? [Number(d.n)] : [],
  );
}

/** Counts the committed events of each subject. */
export async function countsIn({ reader }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', 'count %')
    .execute();
  return new Map(rows.map(({ name, value }) => [name.slice('count '.length), Number(value)]));
}

/** Counts the rows of the outbox. */
export async function rowsIn({ reader }: Database): Promise<number> {
  const { count } = await reader
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
