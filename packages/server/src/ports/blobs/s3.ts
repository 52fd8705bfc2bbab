import { accessSync, constants, mkdirSync, promises, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import { isBlobKey, withoutWriter } from './blob-key.ts';
import type { Blobs } from './blobs.ts';
import { readObject } from './s3-reading.ts';
import { openS3Store, type S3Access } from './s3-store.ts';
import { S3Writer } from './s3-writer.ts';

export interface S3BlobsOptions extends S3Access {
  /** A folder on this machine for contents that are being received. */
  readonly spoolFolder: string;
  readonly log: Logger;
  readonly clock: Clock;
}

/** After this time a writer has uploaded and recorded its content, or failed, even if the clocks differ. */
const ABANDONED_MS = 60 * 60_000;

/** The time for which nothing was written to a leftover file. An upload may not pause for this long. */
const ABANDONED_SPOOL_MS = 24 * 60 * 60_000;

/**
 * The engine for any number of machines: one object per content, `contents/<key>`, and an empty one, `incoming/<key>`,
 * from before the upload until the content is recorded. Contents that are being received are in `spoolFolder`. Throws
 * the system's error if that cannot be used, and sends no request to S3 yet. Later calls reject with an S3Error.
 */
export function s3Blobs(options: S3BlobsOptions): Blobs {
  const { spoolFolder, log, clock } = options;
  mkdirSync(spoolFolder, { recursive: true });
  accessSync(spoolFolder, constants.W_OK | constants.X_OK);
  const store = { ...openS3Store(options), log };
  const { requests, contents, incoming } = store;
  return {
    async create(given) {
      const key = given ?? crypto.randomUUID();
      const path = join(spoolFolder, key);
      const file = await promises.open(path, given === undefined ? 'wx' : 'w');
      return new S3Writer({ key, path, store, file });
    },
    locate(blobKey) {
      const key = contents + blobKey;
      const onFailure = (error: unknown) =>
        log.error({ err: error, blobKey }, 'reading a content failed midway');
      return {
        at: 'remote',
        size: async () => (await requests.head(key))?.sizeBytes,
        read: (range) => readObject(requests, { key, ...range }, onFailure),
      };
    },
    remove: (key) => requests.delete(contents + key),
    async isEmpty() {
      for await (const { key } of requests.list(contents)) {
        if (isBlobKey(key.slice(contents.length))) return false;
      }
      return true;
    },
    async recover(isRecorded) {
      sweepSpool(spoolFolder, clock.unixMs() - ABANDONED_SPOOL_MS);
      const abandonedBefore = clock.unixMs() - ABANDONED_MS;
      for await (const marker of requests.list(incoming)) {
        const key = withoutWriter(marker.key.slice(incoming.length));
        const isAbandoned = marker.modifiedAtMs <= abandonedBefore;
        if (!isBlobKey(key) || !isAbandoned) continue;
        if (!(await isRecorded(key))) await requests.delete(contents + key);
        await requests.delete(marker.key);
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

function sweepSpool(folder: string, before: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !isBlobKey(entry.name)) continue;
    const path = join(folder, entry.name);
    const modifiedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (modifiedAtMs <= before) rmSync(path, { force: true });
  }
}
