import { type Box, findBox, readBoxes } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { KEPT_IN_PICTURE } from './kept-boxes.ts';
import { smallTiff } from './orientation.ts';
import { MOST_PARTS, planOf, type Edit, type Plan } from './plan.ts';
import { editsIn, editsOf, freed } from './strip-boxes.ts';

/** Items that describe a picture: Exif, and XMP among those that have a media type. */
const REMOVED: ReadonlySet<string> = new Set(['Exif', 'mime']);

/** Properties that describe a picture: texts about it, and times. Unknown ones stay, because decoders may need them. */
const DESCRIBING: ReadonlySet<string> = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid']);

/** An empty Exif item: the offset of its TIFF structure, and an empty one. */
const EMPTY_EXIF = Buffer.concat([Buffer.alloc(4), smallTiff()]);

/**
 * Empties Exif and XMP items, properties that describe the picture, unknown boxes and padding. Nothing moves, because
 * other boxes refer to places in the file. The orientation is a property of the picture, and stays.
 */
export async function stripHeif(file: FileWindow): Promise<Plan> {
  const edits: Edit[] = [];
  let meta: Box | undefined;
  for await (const box of readBoxes(file, { start: 0, end: file.sizeBytes }, 'cut')) {
    // Only the first one describes the picture.
    if (box.type === 'meta' && meta === undefined) meta = { ...box, start: box.start + 4 };
    else edits.push(...(await editsOf(file, box, KEPT_IN_PICTURE)));
  }
  if (meta === undefined) throw new DamagedContent('no picture');
  const items = await describingItems(file, meta);
  edits.push(
    ...(await editsIn(file, meta)),
    ...(await propertyEdits(file, meta)),
    ...(await itemEdits(file, meta, items)),
  );
  return planOf(edits, file.sizeBytes);
}

async function propertyEdits(file: FileWindow, meta: Box): Promise<readonly Edit[]> {
  const properties = await findBox(file, meta, 'iprp', 'ipco');
  if (properties === undefined) return [];
  const edits: Edit[] = [];
  for await (const box of readBoxes(file, properties)) {
    if (DESCRIBING.has(box.type)) edits.push(...freed(box));
  }
  return edits;
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
