import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Much more than the journal of a removal or of a start needs, and than the empty tables of a new instance take. */
const RESERVE_BYTES = 4 * 1024 ** 2;

const BLOCK_BYTES = 64 * 1024;

/**
 * Makes room in a data folder if its disk is full, so that an owner can clean up. It deletes the file that reserves
 * disk space; disposal reserves again what is then available. Does nothing if there is room.
 */
export function roomOnDisk(folder: string): Disposable {
  if (freeBytes(folder) >= RESERVE_BYTES) return { [Symbol.dispose]() {} };
  rmSync(reserveIn(folder), { force: true });
  return { [Symbol.dispose]: () => reserveDisk(folder) };
}

/** Opens what a start needs in a data folder, even if the disk is full, and keeps the reserve from then on. */
export async function openWithRoom<Opened>(
  folder: string,
  open: () => Promise<Opened>,
): Promise<Opened> {
  using _room = roomOnDisk(folder);
  const opened = await open();
  reserveDisk(folder);
  return opened;
}

/** Reserves disk space for {@link roomOnDisk}, or less if there is not enough. */
function reserveDisk(folder: string): void {
  try {
    const file = openSync(reserveIn(folder), 'a', 0o600);
    try {
      // Random, so that no file system can compress it.
      const block = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES));
      for (let { size } = fstatSync(file); size < RESERVE_BYTES; size += BLOCK_BYTES) {
        if (writeSync(file, block) < BLOCK_BYTES) return;
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // An instance can run without the reserve, which is only needed on a full disk.
  }
}

function reserveIn(folder: string): string {
  return join(folder, 'reserve');
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
