import { StartError } from '../../start-error.ts';
import { copyContentTable } from './copy-content-table.ts';
import { copyTable } from './copy-table.ts';
import type { Move, MovedContents, MovedTable, MoveEnds, MoveReport, MoveWatch } from './move.ts';
import { pruneTable } from './prune-table.ts';
import {
  deleteAll,
  insertRows,
  isEmpty,
  rowsIn,
  selectInstanceId,
  selectNote,
  writeNote,
  type MoveNote,
  type TableName,
} from './store.ts';

/** What is referred to comes before what refers to it. The settings come last, in one with the note of the end. */
const ORDER = [
  'contents',
  'discarded_blobs',
  'uploads',
  'statics',
  'message_groups',
] as const satisfies readonly TableName[];

/**
 * Moves an instance that nobody runs to an empty database or one with an earlier attempt to do so, and its contents to
 * the target's store where it has one. Whatever the earlier attempt has left, the target ends with exactly the rows of
 * the source, which is only read, and in which nobody can write meanwhile. Throws StartError where there is anything
 * else in the target.
 */
export function moveInstance({ source, target }: MoveEnds, watch: MoveWatch): Promise<MoveReport> {
  return source.database.quietTransaction(async (reader) => {
    const instanceId = await selectInstanceId(reader);
    if (instanceId === undefined) {
      throw new StartError(
        'DATA_DIR: no instance has run there yet, so that there is none to move',
      );
    }
    const isFresh = await claimTarget(target, instanceId);
    const move: Move = { ...watch, source: { reader, blobs: source.blobs }, target, isFresh };
    const { tables, contents } = await moveTables(move);
    await finish(move, instanceId);
    return { instanceId, tables, contents };
  });
}

/** Notes the move in the target. Tells whether nothing was there before. */
async function claimTarget(
  { database, blobs }: MoveEnds['target'],
  instanceId: string,
): Promise<boolean> {
  const copiesContents = blobs !== undefined;
  return database.quietTransaction(async (writer) => {
    const note = await selectNote(writer);
    if (note !== undefined) refuseOther(note, { instanceId, copiesContents });
    else if (!(await isEmpty(writer))) {
      throw new StartError(
        '--to: this database is in use: an instance is moved to an empty one, or to where its move was begun',
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
      `--to: instance ${note.instanceId} was moved to this database, and this is instance ${instanceId}: use an empty one`,
    );
  }
  if (note.copiesContents && !copiesContents) {
    throw new StartError(
      '--blobs: expected once more: this move has begun to copy the files; to leave them where they are, use an empty database',
    );
  }
}

async function moveTables(
  move: Move,
): Promise<{ tables: readonly MovedTable[]; contents: MovedContents | undefined }> {
  const removed = new Map<TableName, number>();
  // What refers goes before what it refers to, and all of it before what may come in its place.
  for (const table of move.isFresh ? [] : ORDER.toReversed()) {
    removed.set(table, await pruneTable(move, table));
  }
  const tables: MovedTable[] = [];
  let contents: MovedContents | undefined;
  const add = (moved: Omit<MovedTable, 'rowsRemoved'>) => {
    const table = { ...moved, rowsRemoved: removed.get(moved.table) ?? 0 };
    tables.push(table);
    move.onMoved(table, table.table === 'contents' ? contents : undefined);
  };
  for (const table of ORDER) {
    const { blobs } = move.target;
    if (table === 'contents' && blobs !== undefined) {
      const copied = await copyContentTable(move, blobs);
      ({ contents } = copied);
      add(copied.table);
    } else {
      add(await copyTable(move, table));
    }
  }
  return { tables, contents };
}

async function finish({ source, target }: Move, instanceId: string): Promise<void> {
  const settings = (await Array.fromAsync(rowsIn(source.reader, 'settings'))).flat();
  const copiesContents = target.blobs !== undefined;
  await target.database.quietTransaction(async (writer) => {
    await deleteAll(writer, 'settings');
    await insertRows(writer, 'settings', settings);
    await writeNote(writer, { instanceId, state: 'finished', copiesContents });
  });
}
