import { piecesOf } from './pieces.ts';
import type { ReadPicture } from './pictures.ts';

/** A kind of file, by its first bytes. */
interface Kind {
  readonly start: string;
  /** Memory for each byte of the file, and for each part, measured with files of nothing but the smallest parts. */
  readonly byte: number;
  readonly part?: number;
  readonly partsIn?: (bytes: Buffer) => number;
  /** With more parts, reading takes too long. */
  readonly mostParts?: number;
}

const KINDS: readonly Kind[] = [
  { start: '\xff\xd8', byte: 4, part: 512, partsIn: keptSegments },
  { start: 'GIF', byte: 9 },
  // libwebp walks from the first frame to each of them.
  { start: 'RIFF', byte: 10, partsIn: frames, mostParts: 10_000 },
];

const ANY: Kind = { start: '', byte: 2 };

/** An upper bound of the memory that libvips takes to read a file, besides its pixels; infinite if it would take too long. */
export async function readingBytes(source: ReadPicture): Promise<number> {
  let kind: Kind | undefined;
  let [bytes, parts] = [0, 0];
  for await (const piece of piecesOf(source, 3)) {
    kind ??= KINDS.find(({ start }) => piece.toString('latin1', 0, start.length) === start) ?? ANY;
    bytes += piece.length;
    parts += kind.partsIn?.(piece) ?? 0;
  }
  const { byte, part = 0, mostParts = Infinity } = kind ?? ANY;
  return parts > mostParts ? Infinity : bytes * byte + parts * part;
}

/** The segments of a JPEG that libjpeg keeps in memory, APP0 to APP15, also those between its scans. */
function keptSegments(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if ((bytes[at + 1] ?? 0) >> 4 === 0xe) count += 1;
  }
  return count;
}

function frames(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('ANMF'); at !== -1; at = bytes.indexOf('ANMF', at + 4)) count += 1;
  return count;
}
