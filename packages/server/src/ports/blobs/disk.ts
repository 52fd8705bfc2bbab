import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  rmSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { threadShares } from '../../runtime/thread-pool.ts';
import { isBlobKey, withoutWriter } from './blob-key.ts';
import type { BlobKey, BlobWriter, Blobs, IsRecorded } from './blobs.ts';

/**
 * Suffix of the files in `incoming/` that mark a content which is already under its key but perhaps not recorded, so
 * that `recover` finds it.
 */
const INTENT_SUFFIX = '.intent';

/** After how many bytes a content is synced while it is being written. */
const WRITE_BACK_BYTES = 16 * 1024 * 1024;

const CONTENTS_FOLDER = /^[\da-f]{2}$/;

/**
 * The embedded engine: one file per content, `<first two digits>/<key>` below `folder`, and `incoming/` for contents
 * that are being written. Throws if the folder cannot be created or written to.
 */
export async function diskBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, 'incoming');
  // Synchronous calls, because this runs only at a start and changing threads would take longer.
  const isNew = mkdirSync(incoming, { recursive: true }) !== undefined;
  if (isNew) syncFolderNow(folder);
  for (const path of [folder, incoming]) accessSync(path, constants.W_OK | constants.X_OK);
  const pathOf = (key: BlobKey) => join(folder, key.slice(0, 2), key);
  const threads = new Semaphore(threadShares().files);
  const store: Store = { pathOf, threads, isWritingBack: false };
  return {
    async create(given) {
      const key = given ?? crypto.randomUUID();
      const path = join(incoming, key);
      const file = await promises.open(path, given === undefined ? 'wx' : 'w');
      return new DiskWriter({ key, path, store, file });
    },
    locate: (key) => ({ at: 'disk', path: pathOf(key) }),
    async remove(key) {
      await promises.rm(pathOf(key), { force: true });
      await syncFolder(join(pathOf(key), '..')).catch(ignoreMissing);
    },
    async isEmpty() {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isDirectory() || !CONTENTS_FOLDER.test(entry.name)) continue;
        const names = readdirSync(join(folder, entry.name));
        if (names.some((key) => isBlobKey(key))) return false;
      }
      return true;
    },
    async recover(isRecorded) {
      for (const entry of readdirSync(incoming, { withFileTypes: true })) {
        const { name } = entry;
        const writing = name.endsWith(INTENT_SUFFIX) ? name.slice(0, -INTENT_SUFFIX.length) : name;
        const key = withoutWriter(writing);
        // Files of others are not touched, such as the owner's or those of the operating system.
        if (entry.isDirectory() || !isBlobKey(key)) continue;
        if (!(await isRecorded(key))) rmSync(pathOf(key), { force: true });
        rmSync(join(incoming, name), { force: true });
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The part of a store that its writers share. */
interface Store {
  readonly pathOf: (key: BlobKey) => string;
  /** Places for work that may take long on a slow disk. */
  readonly threads: Semaphore;
  /** Only one at a time, because a sync occupies one of the few threads that everything else needs, too. */
  isWritingBack: boolean;
}

class DiskWriter implements BlobWriter {
  readonly key: BlobKey;
  readonly #incoming: string;
  readonly #store: Store;
  #isSealed = false;
  #file: FileHandle | undefined;
  #hasEnded = false;
  #unsyncedBytes = 0;
  #writeBack: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly key: BlobKey;
    readonly path: string;
    readonly store: Store;
    readonly file: FileHandle;
  }) {
    this.key = parts.key;
    this.#incoming = parts.path;
    this.#store = parts.store;
    this.#file = parts.file;
  }

  get path(): string {
    return this.#isSealed ? this.#store.pathOf(this.key) : this.#incoming;
  }

  async write(chunk: Uint8Array): Promise<void> {
    using _thread = await this.#store.threads.acquire();
    let written = 0;
    while (written < chunk.byteLength) {
      const { bytesWritten } = await this.#openFile().write(chunk, written);
      written += bytesWritten;
    }
    this.#unsyncedBytes += chunk.byteLength;
    const isWorthIt = this.#unsyncedBytes >= WRITE_BACK_BYTES;
    if (isWorthIt && !this.#store.isWritingBack) this.#beginWriteBack();
  }

  async seal(): Promise<void> {
    const file = this.#openFile();
    // The system reports lost bytes only once. So a failed sync is a failure even if the next one succeeds.
    await this.#writeBack;
    using _thread = await this.#store.threads.acquire();
    await file.sync();
    await this.#close();
    await this.#moveTo(this.key, this.#incoming);
    this.#isSealed = true;
  }

  async restore(as: BlobKey, isRecorded: IsRecorded): Promise<void> {
    const copy = `${join(this.#incoming, '..', as)}.${this.key}`;
    try {
      await copyFile(this.path, copy);
      // Replaces the existing file, whose bytes may be damaged.
      await this.#moveTo(as, copy);
    } catch (error) {
      await promises.rm(copy, { force: true });
      throw error;
    }
    // If the record is removed after this check, the one who removes it also removes the bytes.
    if (!(await isRecorded(as))) await promises.rm(this.#store.pathOf(as), { force: true });
    await promises.rm(copy + INTENT_SUFFIX, { force: true });
  }

  async release(): Promise<void> {
    this.#hasEnded = true;
    await promises.rm(this.#incoming + INTENT_SUFFIX, { force: true });
  }

  async discard(): Promise<void> {
    if (this.#hasEnded) return;
    try {
      await this.#close();
    } finally {
      const incoming = this.#incoming;
      for (const path of [this.#store.pathOf(this.key), incoming, incoming + INTENT_SUFFIX]) {
        await promises.rm(path, { force: true });
      }
      this.#hasEnded = true;
    }
  }

  /** Moves synced bytes of `incoming/` under a key. The result survives power loss. */
  async #moveTo(key: BlobKey, incoming: string): Promise<void> {
    await promises.writeFile(incoming + INTENT_SUFFIX, '');
    await syncFolder(join(incoming, '..'));
    const target = this.#store.pathOf(key);
    const folder = join(target, '..');
    await makeFolder(folder);
    await promises.rename(incoming, target);
    await syncFolder(folder);
  }

  #openFile(): FileHandle {
    if (this.#file === undefined) throw new Error('the content is sealed');
    return this.#file;
  }

  /** Starts to sync what is written while more is still to come, so that the final sync is short. */
  #beginWriteBack(): void {
    const store = this.#store;
    const file = this.#openFile();
    store.isWritingBack = true;
    this.#unsyncedBytes = 0;
    this.#writeBack = this.#writeBack
      .then(async () => {
        using _thread = await store.threads.acquire();
        await file.datasync();
      })
      .finally(() => {
        store.isWritingBack = false;
      });
    // `seal` awaits the same promise and reports the error.
    this.#writeBack.catch(() => {});
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await this.#writeBack.catch(() => {});
    await file?.close();
  }
}

/** Makes a second name for a file, or a copy if the file system has no hard links. The result survives power loss. */
async function copyFile(from: string, to: string): Promise<void> {
  try {
    await promises.link(from, to);
    return;
  } catch {
    await promises.copyFile(from, to);
  }
  await using file = await promises.open(to);
  await file.sync();
}

// Syncs even if the folder exists: the process that created it may have been killed before it could sync.
async function makeFolder(path: string): Promise<void> {
  await promises.mkdir(path, { recursive: true });
  await syncFolder(join(path, '..'));
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

// A renamed or new file survives power loss only if its folder is synced, too.
async function syncFolder(path: string): Promise<void> {
  const folder = await promises.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
