import { readdir } from 'node:fs/promises';
import { systemClock } from '../../../server/src/lib/clock.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Blobs } from '../../../server/src/ports/blobs/blobs.ts';
import { s3Blobs } from '../../../server/src/ports/blobs/s3.ts';
import type { S3Access } from '../../../server/src/ports/blobs/s3-store.ts';
import { tempFolder } from '../temp-folder.ts';
import type { S3Bucket } from './s3-bucket.ts';
import type { TestStore } from '../ports/test-store.ts';

/** A store in S3, with everything else that tests need. */
export interface S3TestStore extends TestStore {
  readonly access: S3Access;
  readonly spoolFolder: string;
  /** Opens the engine at the present time, when no leftover is old enough to be swept. */
  openNow(): Blobs;
  /** The logged lines. */
  readonly logged: readonly string[];
  /** The keys below the store's prefix. */
  objects(): Promise<readonly string[]>;
}

/** An age that no object of an active writer reaches. */
const LATER_MS = 25 * 60 * 60_000;

/** A day later, leftovers of writers belong to no active writer. */
const laterClock = { ...systemClock, unixMs: () => Date.now() + LATER_MS };

/** An empty store with its own prefix on `server`, reached through `endpoint` if that is given. */
export async function s3TestStore(
  server: S3Bucket,
  endpoint: string = server.endpoint,
): Promise<S3TestStore> {
  const folder = await tempFolder();
  const prefix = `store-${crypto.randomUUID()}`;
  const { bucket, region, credentials } = server;
  const access: S3Access = { address: { bucket, region, endpoint, prefix }, credentials };
  const logged: string[] = [];
  const log = jsonLogger('debug', (line) => logged.push(line));
  const open = (clock: typeof systemClock) =>
    s3Blobs({ ...access, spoolFolder: folder.path, log, clock });
  const objects = async () =>
    (await server.list(`${prefix}/`)).map((key) => key.slice(prefix.length + 1));
  return {
    access,
    spoolFolder: folder.path,
    logged,
    open: async () => open(laterClock),
    openNow: () => open(systemClock),
    objects,
    list: async () => [...(await objects()), ...(await readdir(folder.path))],
    overwrite: (key, text) => server.put(`${prefix}/contents/${key}`, text),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
