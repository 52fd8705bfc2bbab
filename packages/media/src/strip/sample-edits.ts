import { type Box, findBox } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { MOST_PARTS, type Edit } from './plan.ts';

/** The number of samples that a run of chunks has each. */
interface Run {
  readonly firstChunk: number;
  readonly samples: number;
}

/** Empties the samples of a track, which may be anywhere in the file. */
export async function sampleEdits(file: FileWindow, track: Box): Promise<readonly Edit[]> {
  const table = await findBox(file, track, 'mdia', 'minf', 'stbl');
  if (table === undefined) return [];
  const runs = await readRuns(file, await findBox(file, table, 'stsc'));
  const bytesOf = await sampleBytes(file, await findBox(file, table, 'stsz'));
  const edits: Edit[] = [];
  let sample = 0;
  let run = 0;
  let chunk = 0;
  for await (const offset of chunkOffsets(file, table)) {
    chunk += 1;
    while ((runs[run + 1]?.firstChunk ?? Infinity) <= chunk) run += 1;
    const samples = runs[run]?.samples ?? 0;
    const bytes = await bytesOf(sample, samples);
    sample += samples;
    if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
    if (bytes > 0) edits.push({ from: offset, to: offset + bytes, replacement: 'zeros' });
  }
  return edits;
}

async function readRuns(file: FileWindow, box: Box | undefined): Promise<readonly Run[]> {
  if (box === undefined) return [];
  const runs: Run[] = [];
  for await (const at of entriesOf(file, box, { headerBytes: 8, entryBytes: 12 })) {
    if (runs.length > MOST_PARTS) throw new DamagedContent('too many parts');
    const bytes = await file.read(at, 8);
    runs.push({ firstChunk: bytes.readUInt32BE(0), samples: bytes.readUInt32BE(4) });
  }
  return runs;
}

/** The bytes of some samples, of which the first has this number, from 0. */
async function sampleBytes(
  file: FileWindow,
  box: Box | undefined,
): Promise<(first: number, samples: number) => Promise<number>> {
  if (box === undefined || box.end - box.start < 12) return async () => 0;
  const bytes = await file.read(box.start + 4, 8);
  const [size, count] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  const listed = size > 0 ? count : Math.min(count, Math.floor((box.end - box.start - 12) / 4));
  return async (first, samples) => {
    const end = Math.min(first + samples, listed);
    if (size > 0) return Math.max(0, end - first) * size;
    let sum = 0;
    for (let sample = first; sample < end; sample += 1) {
      sum += (await file.read(box.start + 12 + 4 * sample, 4)).readUInt32BE();
    }
    return sum;
  };
}

async function* chunkOffsets(file: FileWindow, table: Box): AsyncGenerator<number> {
  const small = await findBox(file, table, 'stco');
  const large = small === undefined ? await findBox(file, table, 'co64') : undefined;
  if (small !== undefined) {
    for await (const at of entriesOf(file, small, { headerBytes: 8, entryBytes: 4 })) {
      yield (await file.read(at, 4)).readUInt32BE();
    }
  } else if (large !== undefined) {
    for await (const at of entriesOf(file, large, { headerBytes: 8, entryBytes: 8 })) {
      yield Number((await file.read(at, 8)).readBigUInt64BE());
    }
  }
}

/** The places of the entries of a table whose header ends with their number. */
async function* entriesOf(
  file: FileWindow,
  { start, end }: Box,
  { headerBytes, entryBytes }: { readonly headerBytes: number; readonly entryBytes: number },
): AsyncGenerator<number> {
  if (end - start < headerBytes) return;
  const count = (await file.read(start + headerBytes - 4, 4)).readUInt32BE();
  for (let entry = 0; entry < count; entry += 1) {
    const at = start + headerBytes + entry * entryBytes;
    if (at + entryBytes > end) return;
    yield at;
  }
}
