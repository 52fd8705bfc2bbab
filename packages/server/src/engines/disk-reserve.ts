import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Far more than the journal of a removal or of a start takes. */
const RESERVE_BYTES = 1024 ** 2;

const BLOCK_BYTES = 64 * 1024;

/**
 * Makes room in a data folder whose disk is full, for what an owner does about that: it gives up the file that keeps
 * some of the disk. Does nothing if there is room. Disposal takes as much back as there is by then.
 */
export function roomOnDisk(folder: string): Disposable {
  if (freeBytes(folder) >= RESERVE_BYTES) return { [Symbol.dispose]() {} };
  rmSync(reserveIn(folder), { force: true });
  return { [Symbol.dispose]: () => reserveDisk(folder) };
}

/** Opens what a start opens in a data folder, also if the disk is full, and keeps the reserve from then on. */
export async function openWithRoom<Opened>(
  folder: string,
  open: () => Promise<Opened>,
): Promise<Opened> {
  using _room = roomOnDisk(folder);
  const opened = await open();
  reserveDisk(folder);
  return opened;
}

/** Keeps some of the disk for {@link roomOnDisk}: less, or nothing, if there is no more. */
function reserveDisk(folder: string): void {
  try {
    const file = openSync(reserveIn(folder), 'a', 0o600);
    try {
      // Nothing that a file system could compress.
      const block = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES));
      for (let { size } = fstatSync(file); size < RESERVE_BYTES; size += BLOCK_BYTES) {
        if (writeSync(file, block) < BLOCK_BYTES) return;
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // An instance can do without: it is missed on a full disk only.
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
