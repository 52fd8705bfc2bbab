import type { Blobs } from '../../../ports/blobs/blobs.ts';
import { VARIANTS_BUCKET } from '../../files/media/media.ts';
import { copyContent } from './copy-content.ts';
import { copyTable, record } from './copy-table.ts';
import type { ContentFault, Move, MovedContents, TableReport } from './move.ts';
import type { MovedTable } from './moved-tables.ts';
import { sumSizes } from './store.ts';

/** The number of contents that are copied at once. */
const LANES = 4;

/** Copies the contents to the target's store, each one before its record, and before what refers to it. */
export async function copyContentTable(
  move: Move,
  table: MovedTable,
  blobs: Blobs,
): Promise<{ table: Omit<TableReport, 'rowsRemoved'>; contents: MovedContents }> {
  const faults: ContentFault[] = [];
  const counted = { copied: 0, copiedBytes: 0, copiedBefore: 0 };
  const bytes = { done: 0, total: await sumSizes(move.source.reader) };
  let rows = { doneRows: 0, totalRows: 0 };
  const report = () => move.onProgress({ table: table.name, ...rows, bytes: { ...bytes } });
  const onBytes = (byteCount: number) => {
    bytes.done += byteCount;
    report();
  };
  const onProgress: Move['onProgress'] = ({ doneRows, totalRows }) => {
    rows = { doneRows, totalRows };
    report();
  };
  const moved = await copyTable({ ...move, onProgress }, table, (batch, missing) =>
    inLanes(batch, { lanes: LANES, signal: move.signal }, async (row, signal) => {
      const outcome = await copyContent({ ...move, signal }, row, { blobs, onBytes });
      if (missing.has(row)) await record(move, table, [row]);
      switch (outcome.kind) {
        case 'copied':
          await outcome.writer.release();
          counted.copied += 1;
          counted.copiedBytes += outcome.sizeBytes;
          return;
        case 'copied before':
          counted.copiedBefore += 1;
          return;
        case 'faulty':
          // A variant that is lost is made again.
          if (row['bucket'] !== VARIANTS_BUCKET) faults.push(outcome.fault);
      }
    }),
  );
  return { table: moved, contents: { ...counted, faults } };
}

/**
 * Does `work` with every item, this many at once. Rejects with the reason of the first failure, or of `signal`, when
 * nothing is under way any more; the signal that `work` receives is aborted then.
 */
export async function inLanes<Item>(
  items: Iterable<Item>,
  { lanes, signal }: { readonly lanes: number; readonly signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const waiting = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      either.throwIfAborted();
      await work(next.value, either);
    }
  };
  const running = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(running);
  either.throwIfAborted();
}
