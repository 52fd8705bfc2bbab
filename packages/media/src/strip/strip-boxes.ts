import { type Box, findBox, readBoxes } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { KEPT_IN, PADDING } from './kept-boxes.ts';
import { MOST_PARTS, type Edit } from './plan.ts';
import { sampleEdits } from './sample-edits.ts';

const FREE = Buffer.from('free');

/** Boxes that begin with the times at which something was made and changed. */
const TIMED: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd']);

/** Kinds of tracks that hold measurements, such as where a camera was. */
const MEASURING: ReadonlySet<string> = new Set(['meta', 'camm']);

/**
 * Returns what is removed from a box in a container that keeps boxes of these types: all of it, or what is removed from
 * the boxes in it. Throws DamagedContent if there are too many.
 */
export async function editsOf(
  file: FileWindow,
  box: Box,
  kept: ReadonlySet<string>,
): Promise<readonly Edit[]> {
  if (PADDING.has(box.type)) return [emptied(box)];
  if (!kept.has(box.type)) return freed(box);
  if (await isMeasuring(file, box)) return [...(await sampleEdits(file, box)), ...freed(box)];
  return TIMED.has(box.type) ? timeEdits(file, box) : editsIn(file, box);
}

/** Returns what is removed from the boxes in a box. */
export async function editsIn(file: FileWindow, container: Box): Promise<readonly Edit[]> {
  const kept = KEPT_IN.get(container.type);
  if (kept === undefined) return [];
  const edits: Edit[] = [];
  for await (const box of readBoxes(file, container)) {
    if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
    edits.push(...(await editsOf(file, box, kept)));
  }
  return edits;
}

/** A box whose type is replaced by one that readers skip, and whose content becomes zeros. Nothing moves. */
export function freed(box: Box): readonly Edit[] {
  const { headerAt } = box;
  return [{ from: headerAt + 4, to: headerAt + 8, replacement: FREE }, emptied(box)];
}

function emptied({ start, end }: Box): Edit {
  return { from: start, to: end, replacement: 'zeros' };
}

async function isMeasuring(file: FileWindow, box: Box): Promise<boolean> {
  if (box.type !== 'trak') return false;
  const handler = await findBox(file, box, 'mdia', 'hdlr');
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
