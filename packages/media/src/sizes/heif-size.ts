import { type Box, needBox, readBoxes } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { type PixelSize, pixelSize } from './pixel-size.ts';

const FULL_BOX_BYTES = 4;

/** The size of the primary picture of an AVIF or HEIC file (of the whole picture, if it is made of tiles). */
export async function readHeifSize(file: FileWindow): Promise<PixelSize> {
  const metaBox = await needBox(file, { start: 0, end: file.sizeBytes }, 'meta');
  const meta = { start: metaBox.start + FULL_BOX_BYTES, end: metaBox.end };
  const primary = await readPrimaryItem(file, await needBox(file, meta, 'pitm'));
  const properties = await needBox(file, meta, 'iprp');
  const extents = await findExtents(file, await needBox(file, properties, 'ipco'));
  for await (const box of readBoxes(file, properties)) {
    if (box.type !== 'ipma') continue;
    const places = await readPlaces(file, box, primary);
    const extent = places.map((place) => extents.get(place)).find((found) => found !== undefined);
    if (extent === undefined) continue;
    const bytes = await file.read(extent.start + FULL_BOX_BYTES, 8);
    return pixelSize(bytes.readUInt32BE(0), bytes.readUInt32BE(4));
  }
  throw new DamagedContent('no size of the primary item');
}

async function readPrimaryItem(file: FileWindow, box: Box): Promise<number> {
  const version = (await file.read(box.start, 1)).readUInt8();
  const idBytes = version === 0 ? 2 : 4;
  return (await file.read(box.start + FULL_BOX_BYTES, idBytes)).readUIntBE(0, idBytes);
}

/** The ispe boxes by their place among the properties, counted from 1. */
async function findExtents(file: FileWindow, container: Box): Promise<ReadonlyMap<number, Box>> {
  const extents = new Map<number, Box>();
  let place = 0;
  for await (const box of readBoxes(file, container)) {
    place += 1;
    if (box.type === 'ispe') extents.set(place, box);
  }
  return extents;
}

/** The places of the properties that the association box gives the item, in its order. */
async function readPlaces(file: FileWindow, box: Box, item: number): Promise<readonly number[]> {
  const header = await file.read(box.start, 8);
  const idBytes = header.readUInt8(0) === 0 ? 2 : 4;
  const placeBytes = (header.readUInt8(3) & 1) === 0 ? 1 : 2;
  const essentialBit = placeBytes === 1 ? 0x80 : 0x80_00;
  const entries = header.readUInt32BE(4);
  let at = box.start + 8;
  for (let entry = 0; entry < entries; entry += 1) {
    const bytes = await file.read(at, idBytes + 1);
    const count = bytes.readUInt8(idBytes);
    at += idBytes + 1;
    if (bytes.readUIntBE(0, idBytes) === item) {
      const places = await file.read(at, count * placeBytes);
      return Array.from(
        { length: count },
        (_, index) => places.readUIntBE(index * placeBytes, placeBytes) & ~essentialBit,
      );
    }
    at += count * placeBytes;
  }
  return [];
}
