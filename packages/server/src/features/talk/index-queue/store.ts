import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { IndexedKind } from './indexed-kind.ts';

/** Something that is to be indexed, or indexed again. */
export interface Noted {
  readonly id: Id;
  readonly kind: IndexedKind;
}

const INSERT = `insert into search_queue (entry_id, note, kind) select entry_id, '', kind from given`;

/** Notes what is new, in the transaction that adds it. */
export async function noteNew(
  tx: Transaction,
  kind: IndexedKind,
  ids: readonly Id[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => [id, kind]);
  await tx.runMany({ text: INSERT, columns: { entry_id: 'text', kind: 'text' }, rows });
}

/** Notes what was changed or deleted, in the transaction that does so. The index follows. */
export async function noteChanged(
  db: Writer,
  kind: IndexedKind,
  ids: readonly Id[],
): Promise<void> {
  if (ids.length === 0) return;
  const note = crypto.randomUUID();
  await db
    .insertInto('search_queue')
    .values(ids.map((id) => ({ entry_id: id, note, kind })))
    .execute();
}

/** The notes about the first things that have any, at most `limit`. */
export async function selectNoted(
  db: Reader,
  limit: number,
): Promise<readonly (Noted & { readonly note: string })[]> {
  return await db
    .selectFrom('search_queue')
    .select(['entry_id as id', 'note', 'kind'])
    .orderBy('entry_id')
    .orderBy('note')
    .limit(limit)
    .execute();
}

/** Forgets notes that were read before what they are about was. */
export async function forgetNoted(
  db: Writer,
  notes: readonly (Noted & { readonly note: string })[],
): Promise<void> {
  for (const [note, some] of Map.groupBy(notes, (each) => each.note)) {
    await db
      .deleteFrom('search_queue')
      .where(
        'entry_id',
        'in',
        some.map(({ id }) => id),
      )
      .where('note', '=', note)
      .execute();
  }
}
