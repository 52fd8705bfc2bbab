import { type Box, findBox, readBoxes } from '../media/boxes.ts';
import { DamagedContent, type FileWindow } from '../media/file-window.ts';
import { MOST_PARTS, Plan, type Replacement } from './plan.ts';

/** Other bytes for a part of a file. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly replacement: Replacement;
}

type Span = Pick<Box, 'start' | 'end'>;

const FREE = Buffer.from('free');
const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/** A box whose type is replaced by one that readers skip, and whose content becomes zeros. Nothing moves. */
export function freed({ start, end }: Box, headerAt: number): readonly Edit[] {
  return [
    { from: headerAt + 4, to: headerAt + 8, replacement: FREE },
    { from: start, to: end, replacement: 'zeros' },
  ];
}

/** The boxes in a span, each with the place of its header. */
export async function* placedBoxes(
  file: FileWindow,
  span: Span,
): AsyncGenerator<{ readonly box: Box; readonly headerAt: number }> {
  let headerAt = span.start;
  for await (const box of readBoxes(file, span)) {
    yield { box, headerAt };
    headerAt = box.end;
  }
}

/**
 * The boxes of a whole file, each with the place of its header. The last one ends with the file, whatever its size is:
 * a video may break off, and other data may follow it.
 */
export async function* boxesOfFile(
  file: FileWindow,
): AsyncGenerator<{ readonly box: Box; readonly headerAt: number }> {
  const { sizeBytes } = file;
  for (let headerAt = 0; sizeBytes - headerAt >= HEADER_BYTES;) {
    const header = await file.read(headerAt, HEADER_BYTES);
    const type = header.toString('latin1', 4, 8);
    const isLarge = header.readUInt32BE(0) === 1 && sizeBytes - headerAt >= LARGE_HEADER_BYTES;
    const start = headerAt + (isLarge ? LARGE_HEADER_BYTES : HEADER_BYTES);
    const size = isLarge
      ? Number((await file.read(headerAt + HEADER_BYTES, 8)).readBigUInt64BE())
      : header.readUInt32BE(0);
    const announced = headerAt + size;
    const end = announced < start || announced > sizeBytes ? sizeBytes : announced;
    yield { box: { type, start, end }, headerAt };
    headerAt = end;
  }
}

/** The box reached by following the types from the span, or undefined. */
export async function boxAt(
  file: FileWindow,
  span: Span,
  ...types: readonly string[]
): Promise<Box | undefined> {
  let box: Box | undefined = { type: '', start: span.start, end: span.end };
  for (const type of types) {
    if (box !== undefined) box = await findBox(file, box, type);
  }
  return box;
}

/** The plan that makes these edits. Those that reach beyond the file, or into one another, are left out. */
export function planOf(edits: readonly Edit[], sizeBytes: number): Plan {
  if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
  const plan = new Plan();
  const inFile = edits.filter(({ from, to }) => from >= 0 && to <= sizeBytes);
  for (const { from, to, replacement } of inFile.toSorted((a, b) => a.from - b.from)) {
    plan.replace(from, to, replacement);
  }
  plan.keepTo(sizeBytes);
  return plan;
}
