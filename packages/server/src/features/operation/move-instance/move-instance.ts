export { acceptMove } from './accept-move.ts';
export type {
  ContentFault,
  MoveEnds,
  MoveProgress,
  MoveReport,
  MoveWatch,
  MovedContents,
  TableReport,
} from './move.ts';

import type { TableList } from '../../../ports/database/table-data.ts';
import { StartError } from '../../../lib/start-error.ts';
import { copyContentTable } from './copy-content-table.ts';
import { copyTable, pruneTable } from './copy-table.ts';
import type { Move, MovedContents, MoveEnds, MoveReport, MoveWatch, TableReport } from './move.ts';
import { movedTables, settingsIn } from './moved-tables.ts';
import {
  deleteAll,
  insertRows,
  isEmpty,
  rowsIn,
  selectInstanceId,
  selectNote,
  writeNote,
  type MoveNote,
} from './store.ts';

/**
 * Moves an instance that is not running to an empty database, or to one with an earlier attempt, and its contents to
 * the target's store if it has one. Whatever an earlier attempt left, the target ends with exactly the rows of the
 * source, which is only read. Throws StartError if there is anything else in the target.
 */
export async function moveInstance(
  { source, target }: MoveEnds,
  watch: MoveWatch,
): Promise<MoveReport> {
  const instanceId = await selectInstanceId(source.reader);
  if (instanceId === undefined) {
    throw new StartError('DATA_DIR: no instance has run there yet, so there is nothing to move');
  }
  const { tables } = watch;
  const isFresh = await claimTarget(target, { instanceId, tables });
  const move: Move = { ...watch, source, target, isFresh };
  const moved = await moveTables(move);
  await finish(move, instanceId);
  return { instanceId, ...moved };
}

/** Notes the move in the target. Returns whether nothing was there before. */
async function claimTarget(
  { database, blobs }: MoveEnds['target'],
  { instanceId, tables }: { readonly instanceId: string; readonly tables: TableList },
): Promise<boolean> {
  const copiesContents = blobs !== undefined;
  return database.transaction(async ({ sql: writer }) => {
    const note = await selectNote(writer);
    if (note !== undefined) refuseOther(note, { instanceId, copiesContents });
    else if (!(await isEmpty(writer, tables))) {
      throw new StartError(
        '--to: this database is in use: use an empty one, or the one to which this move was begun',
      );
    }
    await writeNote(writer, { instanceId, state: 'unfinished', copiesContents });
    return note === undefined;
  });
}

function refuseOther(
  note: MoveNote,
  { instanceId, copiesContents }: Pick<MoveNote, 'instanceId' | 'copiesContents'>,
): void {
  if (note.instanceId !== instanceId) {
    throw new StartError(
      `--to: instance ${note.instanceId} was moved to this database, but this is instance ${instanceId}: use an empty one`,
    );
  }
  if (note.copiesContents && !copiesContents) {
    throw new StartError(
      '--blobs: expected again: this move has begun to copy the files; to keep them in DATA_DIR, use an empty database',
    );
  }
}

async function moveTables(
  move: Move,
): Promise<{ tables: readonly TableReport[]; contents: MovedContents | undefined }> {
  const ordered = movedTables(move.tables);
  const removed = new Map<string, number>();
  // A reference goes before what it refers to, and all of it before what may come in its place.
  for (const table of move.isFresh ? [] : ordered.toReversed()) {
    removed.set(table.name, await pruneTable(move, table));
  }
  const tables: TableReport[] = [];
  let contents: MovedContents | undefined;
  const add = (moved: Omit<TableReport, 'rowsRemoved'>) => {
    const table = { ...moved, rowsRemoved: removed.get(moved.table) ?? 0 };
    tables.push(table);
    move.onMoved(table, table.table === 'contents' ? contents : undefined);
  };
  for (const table of ordered) {
    const { blobs } = move.target;
    if (table.name === 'contents' && blobs !== undefined) {
      const copied = await copyContentTable(move, table, blobs);
      ({ contents } = copied);
      add(copied.table);
    } else {
      add(await copyTable(move, table));
    }
  }
  return { tables, contents };
}

async function finish({ source, target, tables }: Move, instanceId: string): Promise<void> {
  const table = settingsIn(tables);
  const settings = (await Array.fromAsync(rowsIn(source.reader, table))).flat();
  const copiesContents = target.blobs !== undefined;
  await target.database.transaction(async ({ sql: writer }) => {
    await deleteAll(writer, table);
    await insertRows(writer, table, settings);
    await writeNote(writer, { instanceId, state: 'finished', copiesContents });
  });
}
