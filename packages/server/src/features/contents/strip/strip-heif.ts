import { type Box, findBox, readBoxes } from '../media/boxes.ts';
import { DamagedContent, type FileWindow } from '../media/file-window.ts';
import { smallTiff } from './orientation.ts';
import { MOST_PARTS, type Plan } from './plan.ts';
import { boxesOfFile, freed, planOf, type Edit } from './strip-boxes.ts';
import { editsIn } from './strip-movie.ts';

/** Boxes without which a picture cannot be shown. */
const KEPT: ReadonlySet<string> = new Set([
  'ftyp',
  'meta',
  'mdat',
  'idat',
  'free',
  'skip',
  'wide',
  'moov',
  'moof',
  'mfra',
  'sidx',
]);

/** Items that describe a picture: Exif, and XMP among those that have a media type. */
const REMOVED: ReadonlySet<string> = new Set(['Exif', 'mime']);

/** An empty Exif item: the offset of its TIFF structure, and an empty one. */
const EMPTY_EXIF = Buffer.concat([Buffer.alloc(4), smallTiff()]);

/**
 * Empties Exif and XMP items and unknown boxes. Nothing moves, because other boxes refer to places in the file. The
 * orientation is a property of the picture, and stays.
 */
export async function stripHeif(file: FileWindow): Promise<Plan> {
  const edits: Edit[] = [];
  let meta: Box | undefined;
  for await (const { box, headerAt } of boxesOfFile(file)) {
    if (box.type === 'meta') meta ??= { ...box, start: box.start + 4 };
    if (!KEPT.has(box.type)) edits.push(...freed(box, headerAt));
    // The pictures of an animation are those of a movie.
    if (box.type === 'moov') edits.push(...(await editsIn(file, box)));
  }
  if (meta === undefined) throw new DamagedContent('no picture');
  const items = await describingItems(file, meta);
  return planOf([...edits, ...(await itemEdits(file, meta, items))], file.sizeBytes);
}

/** The kinds of the items to empty, by their ids. */
async function describingItems(file: FileWindow, meta: Box): Promise<ReadonlyMap<number, string>> {
  const items = new Map<number, string>();
  const list = await findBox(file, meta, 'iinf');
  if (list === undefined) return items;
  const version = (await file.read(list.start, 1)).readUInt8();
  const entries = { start: list.start + (version === 0 ? 6 : 8), end: list.end };
  for await (const { type, start, end } of readBoxes(file, entries)) {
    if (type !== 'infe' || end - start < 12) continue;
    const bytes = await file.read(start, Math.min(end - start, 14));
    const idBytes = bytes.readUInt8(0) >= 3 ? 4 : 2;
    const kind = bytes.toString('latin1', 6 + idBytes, 10 + idBytes);
    if (items.size > MOST_PARTS) throw new DamagedContent('too many items');
    if (REMOVED.has(kind)) items.set(bytes.readUIntBE(4, idBytes), kind);
  }
  return items;
}

async function itemEdits(
  file: FileWindow,
  meta: Box,
  items: ReadonlyMap<number, string>,
): Promise<readonly Edit[]> {
  const places = items.size === 0 ? undefined : await findBox(file, meta, 'iloc');
  if (places === undefined) return [];
  const data = await findBox(file, meta, 'idat');
  const edits: Edit[] = [];
  for await (const { item, isInMeta, from, to } of extentsIn(file, places)) {
    if (edits.length > MOST_PARTS) throw new DamagedContent('too many parts');
    const kind = items.get(item);
    if (kind === undefined || (isInMeta && data === undefined)) continue;
    const base = isInMeta ? (data?.start ?? 0) : 0;
    const span = { from: base + from, to: base + to };
    const isExif = kind === 'Exif' && to - from >= EMPTY_EXIF.length;
    const head = span.from + (isExif ? EMPTY_EXIF.length : 0);
    if (isExif) edits.push({ from: span.from, to: head, replacement: EMPTY_EXIF });
    edits.push({ from: head, to: span.to, replacement: 'zeros' });
  }
  return edits;
}

/** A part of an item; its places count from the beginning of the file, or of the data in the metadata. */
interface Extent {
  readonly item: number;
  readonly isInMeta: boolean;
  readonly from: number;
  readonly to: number;
}

/** Reads the item location box (ISO/IEC 14496-12, 8.11.3). */
async function* extentsIn(file: FileWindow, box: Box): AsyncGenerator<Extent> {
  let at = box.start;
  const take = async (bytes: number) => {
    if (at + bytes > box.end) throw new DamagedContent('places end too early');
    const value = bytes === 0 ? 0 : numberIn(await file.read(at, bytes));
    at += bytes;
    return value;
  };
  const version = await take(1);
  await take(3);
  const sizes = await take(2);
  const [offsetBytes, lengthBytes] = [sizes >> 12, (sizes >> 8) & 15];
  const [baseBytes, indexBytes] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
  const idBytes = version < 2 ? 2 : 4;
  const count = await take(idBytes);
  for (let index = 0; index < count; index += 1) {
    const item = await take(idBytes);
    const method = version === 0 ? 0 : (await take(2)) & 15;
    await take(2);
    const base = await take(baseBytes);
    const announced = await take(2);
    // Without places and lengths, an extent is the whole file.
    const extents = lengthBytes === 0 ? 0 : announced;
    at += (announced - extents) * (indexBytes + offsetBytes);
    for (let extent = 0; extent < extents; extent += 1) {
      await take(indexBytes);
      const from = base + (await take(offsetBytes));
      const length = await take(lengthBytes);
      if (method <= 1) yield { item, isInMeta: method === 1, from, to: from + length };
    }
  }
}

function numberIn(bytes: Buffer): number {
  if (bytes.length <= 6) return bytes.readUIntBE(0, bytes.length);
  if (bytes.length !== 8) throw new DamagedContent('a number of impossible size');
  return Number(bytes.readBigUInt64BE());
}
