import type { Box } from '../media/boxes.ts';
import { DamagedContent, type FileWindow } from '../media/file-window.ts';
import { MOST_PARTS, type Plan } from './plan.ts';
import { sampleEdits } from './sample-edits.ts';
import { boxAt, boxesOfFile, freed, placedBoxes, planOf, type Edit } from './strip-boxes.ts';

/** Boxes without which a movie cannot be played. */
const KEPT: ReadonlySet<string> = new Set([
  'ftyp',
  'styp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'pnot',
  'pdin',
  'moof',
  'mfra',
  'sidx',
  'ssix',
  'prft',
]);

/** Boxes that hold others, in which boxes of {@link REMOVED} may be. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'moof', 'traf']);
const REMOVED: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid']);

/** How deep boxes with others may be in one another. */
const MOST_DEPTH = 8;

/** Boxes that begin with the times at which something was made and changed. */
const TIMED: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd']);

/** Kinds of tracks that hold measurements, such as where a camera was. */
const MEASURING: ReadonlySet<string> = new Set(['meta']);

/**
 * Empties user data, metadata, unknown boxes, and tracks of measurements, and clears times. Nothing moves, because
 * other boxes refer to places in the file.
 */
export async function stripMovie(file: FileWindow): Promise<Plan> {
  const edits: Edit[] = [];
  let hasMovie = false;
  for await (const { box, headerAt } of boxesOfFile(file)) {
    hasMovie ||= box.type === 'moov';
    if (!KEPT.has(box.type)) edits.push(...freed(box, headerAt));
    else if (CONTAINERS.has(box.type)) edits.push(...(await editsIn(file, box)));
  }
  if (!hasMovie) throw new DamagedContent('no movie');
  return planOf(edits, file.sizeBytes);
}

/** What is removed from a box that holds others. Throws DamagedContent if they are nested too deeply, or too many. */
export async function editsIn(
  file: FileWindow,
  container: Box,
  depth = 0,
): Promise<readonly Edit[]> {
  if (depth > MOST_DEPTH) throw new DamagedContent('boxes in too many boxes');
  const edits: Edit[] = [];
  for await (const { box, headerAt } of placedBoxes(file, container)) {
    if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
    if (REMOVED.has(box.type) || (await isMeasuring(file, box))) {
      if (box.type === 'trak') edits.push(...(await sampleEdits(file, box)));
      edits.push(...freed(box, headerAt));
    } else if (CONTAINERS.has(box.type)) {
      edits.push(...(await editsIn(file, box, depth + 1)));
    } else if (TIMED.has(box.type)) {
      edits.push(...(await timeEdits(file, box)));
    }
  }
  return edits;
}

async function isMeasuring(file: FileWindow, box: Box): Promise<boolean> {
  if (box.type !== 'trak') return false;
  const handler = await boxAt(file, box, 'mdia', 'hdlr');
  if (handler === undefined || handler.end - handler.start < 12) return false;
  return MEASURING.has((await file.read(handler.start + 8, 4)).toString('latin1'));
}

async function timeEdits(file: FileWindow, { start, end }: Box): Promise<readonly Edit[]> {
  if (end - start < 1) return [];
  const version = (await file.read(start, 1)).readUInt8();
  const to = start + 4 + (version === 1 ? 16 : 8);
  if (to > end) return [];
  return [{ from: start + 4, to, replacement: 'zeros' }];
}
