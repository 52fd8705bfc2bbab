import { DamagedContent, type FileWindow } from './file-window.ts';

/** A box of the ISO base media file format; `start` and `end` enclose its content. */
export interface Box {
  readonly type: string;
  /** The offset of its header. */
  readonly headerAt: number;
  readonly start: number;
  readonly end: number;
}

/** A part of a file. */
export type Span = Pick<Box, 'start' | 'end'>;

const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/**
 * The boxes in a span of the file, in order. Throws DamagedContent at one of impossible size, such as one that is larger
 * than the span; with `cut`, it ends with the span: a video may break off, and other data may follow it.
 */
export async function* readBoxes(
  file: FileWindow,
  span: Span,
  excess: 'refuse' | 'cut' = 'refuse',
): AsyncGenerator<Box> {
  for (let headerAt = span.start; span.end - headerAt >= HEADER_BYTES;) {
    const header = await file.read(headerAt, HEADER_BYTES);
    const type = header.toString('latin1', 4, 8);
    const size = header.readUInt32BE(0);
    const isLarge = size === 1 && span.end - headerAt >= LARGE_HEADER_BYTES;
    const start = headerAt + (isLarge ? LARGE_HEADER_BYTES : HEADER_BYTES);
    const announced = headerAt + (isLarge ? await readLargeSize(file, headerAt) : size);
    const isPossible = announced >= start && announced <= span.end;
    if (!isPossible && size !== 0 && excess === 'refuse')
      throw new DamagedContent(`box ${type} of impossible size`);
    const end = isPossible ? announced : span.end;
    yield { type, headerAt, start, end };
    headerAt = end;
  }
}

/** The box reached by following the types from the span, at each step into the first of that type. */
export async function findBox(
  file: FileWindow,
  span: Span,
  ...[type, ...types]: readonly [string, ...string[]]
): Promise<Box | undefined> {
  for await (const box of readBoxes(file, span)) {
    if (box.type !== type) continue;
    const [next, ...others] = types;
    return next === undefined ? box : findBox(file, box, next, ...others);
  }
  return undefined;
}

/** Finds a box like `findBox`; throws DamagedContent if there is none. */
export async function needBox(
  file: FileWindow,
  span: Span,
  ...types: readonly [string, ...string[]]
): Promise<Box> {
  const box = await findBox(file, span, ...types);
  if (box === undefined) throw new DamagedContent(`no box ${types.join('/')}`);
  return box;
}

async function readLargeSize(file: FileWindow, headerAt: number): Promise<number> {
  return Number((await file.read(headerAt + HEADER_BYTES, 8)).readBigUInt64BE());
}
