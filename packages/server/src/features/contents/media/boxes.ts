import { DamagedContent, type FileWindow } from './file-window.ts';

/** A box of the ISO base media file format; `start` and `end` enclose its content. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

type Span = Pick<Box, 'start' | 'end'>;

const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/** The boxes in a span of the file, in order; throws DamagedContent at one that is larger than the span. */
export async function* readBoxes(file: FileWindow, span: Span): AsyncGenerator<Box> {
  let at = span.start;
  while (span.end - at >= HEADER_BYTES) {
    const header = await file.read(at, HEADER_BYTES);
    const type = header.toString('latin1', 4, 8);
    const size = header.readUInt32BE(0);
    const start = at + (size === 1 ? LARGE_HEADER_BYTES : HEADER_BYTES);
    const end = size === 0 ? span.end : at + (size === 1 ? await readLargeSize(file, at) : size);
    if (end < start || end > span.end) throw new DamagedContent(`box ${type} of impossible size`);
    yield { type, start, end };
    at = end;
  }
}

/** The first box of that type in the span. */
export async function findBox(
  file: FileWindow,
  span: Span,
  type: string,
): Promise<Box | undefined> {
  for await (const box of readBoxes(file, span)) {
    if (box.type === type) return box;
  }
  return undefined;
}

/** The box reached by following the types from the span, at each step into the first of that type. */
export async function needBox(
  file: FileWindow,
  span: Span,
  ...types: readonly string[]
): Promise<Box> {
  let box: Box = { type: '', start: span.start, end: span.end };
  for (const type of types) {
    const child = await findBox(file, box, type);
    if (child === undefined) throw new DamagedContent(`no box ${type}`);
    box = child;
  }
  return box;
}

async function readLargeSize(file: FileWindow, at: number): Promise<number> {
  return Number((await file.read(at + HEADER_BYTES, 8)).readBigUInt64BE());
}
