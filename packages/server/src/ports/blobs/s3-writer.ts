import { promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { within } from '../../lib/within.ts';
import type { BlobKey, BlobWriter, IsRecorded } from './blobs.ts';
import { S3Error } from './s3-error.ts';
import type { S3WriterStore } from './s3-store.ts';

/** The time to wait for the cleanup after a failed upload. */
const UNSURE_DISCARD_MS = 500;

/** Writes a content to a file on this machine, and uploads it when it is complete. */
export class S3Writer implements BlobWriter {
  readonly key: BlobKey;
  readonly path: string;
  readonly #store: S3WriterStore;
  #file: FileHandle | undefined;
  #state: 'open' | 'sealed' | 'ended' = 'open';
  #sizeBytes = 0;
  #etag: string | undefined;
  /**
   * The part of the content that S3 may have. If a request was not answered, S3 may still carry it out after later
   * requests.
   */
  #remote: 'nothing' | 'known' | 'unsure' = 'nothing';

  constructor(parts: {
    readonly key: BlobKey;
    readonly path: string;
    readonly store: S3WriterStore;
    readonly file: FileHandle;
  }) {
    this.key = parts.key;
    this.path = parts.path;
    this.#store = parts.store;
    this.#file = parts.file;
  }

  async write(chunk: Uint8Array): Promise<void> {
    let written = 0;
    while (written < chunk.byteLength) {
      if (this.#file === undefined) throw new Error('the content is sealed');
      const { bytesWritten } = await this.#file.write(chunk, written);
      written += bytesWritten;
    }
    this.#sizeBytes += chunk.byteLength;
  }

  async seal(): Promise<void> {
    if (this.#state !== 'open') throw new Error('the content is sealed');
    this.#state = 'sealed';
    await this.#close();
    const { requests, contents, incoming } = this.#store;
    await this.#put(() => requests.mark(incoming + this.key));
    this.#etag = await this.#put(() => this.#putFile(contents + this.key));
  }

  async restore(as: BlobKey, isRecorded: IsRecorded): Promise<void> {
    if (this.#state !== 'sealed') throw new Error('the content is not sealed');
    const { requests, contents, incoming } = this.#store;
    const kept = await requests.head(contents + as);
    const isSame = kept?.sizeBytes === this.#sizeBytes && kept.etag === this.#etag;
    if (isSame && this.#etag !== undefined) return;
    const marker = `${incoming}${as}.${this.key}`;
    await requests.mark(marker);
    // If this fails the marker stays, because S3 may still carry out the upload after later requests.
    await this.#putFile(contents + as);
    // If the record is removed after this check, the one who removes it also removes the bytes.
    if (!(await isRecorded(as))) await requests.delete(contents + as);
    await requests.delete(marker);
  }

  async release(): Promise<void> {
    this.#state = 'ended';
    await promises.rm(this.path, { force: true });
    const { requests, incoming } = this.#store;
    await requests.delete(incoming + this.key);
  }

  async discard(): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    try {
      await this.#close();
    } finally {
      await promises.rm(this.path, { force: true });
      await this.#discardRemote();
    }
  }

  async #putFile(key: string): Promise<string | undefined> {
    const file = await promises.open(this.path);
    try {
      return await this.#store.requests.putFile(key, file, this.#sizeBytes);
    } finally {
      await file.close();
    }
  }

  /** Keeps track of what S3 may have. */
  async #put<Result>(put: () => Promise<Result>): Promise<Result> {
    try {
      const result = await put();
      this.#remote = 'known';
      return result;
    } catch (error) {
      const isSure = error instanceof S3Error && error.outcome !== 'unknown';
      if (!isSure) this.#remote = 'unsure';
      throw error;
    }
  }

  async #discardRemote(): Promise<void> {
    const { requests, contents, incoming, log } = this.#store;
    if (this.#remote === 'nothing') return;
    try {
      const isGone = requests.delete(contents + this.key);
      // The marker stays, so that `recover` finds an object that appears only later.
      if (this.#remote === 'unsure') await within(isGone, UNSURE_DISCARD_MS);
      else {
        await isGone;
        await requests.delete(incoming + this.key);
      }
    } catch (error) {
      log.warn(
        { err: error, blobKey: this.key },
        'a discarded upload could not be removed from S3 yet',
      );
    }
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
