import { DamagedContent, type FileWindow } from '../file-window.ts';
import { Plan } from './plan.ts';

const HEADER_BYTES = 13;
const BLOCKS = { extension: 0x21, image: 0x2c, trailer: 0x3b };
const EXTENSIONS = { application: 0xff, comment: 0xfe };

/** Applications whose data change how the pictures are shown. */
const KEPT: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** Leaves out comments and the data of applications, and what follows the end. */
export async function stripGif(file: FileWindow): Promise<Plan> {
  const plan = new Plan();
  const header = await file.read(0, HEADER_BYTES);
  let at = HEADER_BYTES + tableBytes(header.readUInt8(10));
  while (at < file.sizeBytes) {
    const kind = (await file.read(at, 1)).readUInt8();
    if (kind === BLOCKS.trailer) {
      plan.keepTo(at + 1);
      return plan;
    }
    if (kind === BLOCKS.image) {
      const flags = (await file.read(at, 10)).readUInt8(9);
      at = await endOfBlocks(file, at + 11 + tableBytes(flags));
    } else if (kind === BLOCKS.extension) {
      const isKept = await isKeptExtension(file, at);
      const end = await endOfBlocks(file, at + 2);
      if (!isKept) {
        plan.keepTo(at);
        plan.dropTo(end);
      }
      at = end;
    } else {
      throw new DamagedContent('no block');
    }
  }
  plan.keepTo(file.sizeBytes);
  return plan;
}

async function isKeptExtension(file: FileWindow, at: number): Promise<boolean> {
  const label = (await file.read(at, 2)).readUInt8(1);
  if (label === EXTENSIONS.comment) return false;
  if (label !== EXTENSIONS.application) return true;
  return KEPT.has((await file.read(at + 3, 11)).toString('latin1'));
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The end of a chain of blocks, each of which begins with its length. The file may end before it. */
async function endOfBlocks(file: FileWindow, from: number): Promise<number> {
  let at = from;
  while (at < file.sizeBytes) {
    const bytes = (await file.read(at, 1)).readUInt8();
    at += 1 + bytes;
    if (bytes === 0) break;
  }
  return Math.min(at, file.sizeBytes);
}
