import { join } from 'node:path';
import type { BlobsStore } from '../config/deployed-engines.ts';
import {
  claimDataFolder,
  claimWriting,
  dataFolder,
  inData,
  makeDataFolder,
} from '../data-folder.ts';
import { recoverContents } from '../features/platform/contents/contents.ts';
import { NoFilesError, type Blobs } from '../ports/blobs/blobs.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { S3Error } from '../ports/blobs/s3-error.ts';
import { checkS3 } from '../ports/blobs/s3-store.ts';
import { s3Blobs } from '../ports/blobs/s3.ts';
import { connectWithin } from '../ports/connect-within.ts';
import type { EmittingDatabase } from '../ports/outbox/outbox.ts';
import type { EngineParts, OwnerPurpose } from './engines.ts';
import { settleContents, warnOfLostRecords } from './file-contents.ts';

/** The time between two checks of shared storage for leftovers of killed processes. */
const SWEEP_PERIOD_MS = 3_600_000;

/** For processes that do not serve files. */
const NO_BLOBS: Blobs = {
  create: () => Promise.reject(noFiles()),
  locate: () => {
    throw noFiles();
  },
  remove: () => Promise.reject(noFiles()),
  isEmpty: () => Promise.reject(noFiles()),
  recover: () => Promise.reject(noFiles()),
  async [Symbol.asyncDispose]() {},
};

/** Opens the storage of an instance's contents after removing leftovers of killed processes. Throws StartError. */
export async function openBlobs(parts: EngineParts, database: EmittingDatabase): Promise<Blobs> {
  const { deployment } = parts.config;
  if (!deployment.components.includes('files')) return NO_BLOBS;
  const { blobs: store, databaseUrl, redisUrl } = deployment.engines;
  if (store !== undefined) return openBucket(parts, database, store);
  const folder = dataFolder(deployment.dataDir);
  if (databaseUrl !== undefined) {
    await makeDataFolder(folder);
    parts.resources.use(await claimDataFolder(folder));
  }
  if (redisUrl !== undefined) {
    parts.log.warn(
      { folder: folder.blobs },
      'BLOBS_URL is not set: files are kept in a folder of this process, and no other file service can serve them',
    );
  }
  const blobs = parts.resources.use(await inData(folder.blobs, () => diskBlobs(folder.blobs)));
  const contents = { blobs, database, log: parts.log };
  await settleContents(contents, folder);
  await warnOfLostRecords(contents, folder);
  return blobs;
}

/** Opens the storage for an owner's command, which removes no leftovers. Throws StartError. */
export async function openBlobsForOwner(parts: EngineParts, purpose: OwnerPurpose): Promise<Blobs> {
  const { deployment } = parts.config;
  const { blobs: store, databaseUrl } = deployment.engines;
  if (store !== undefined) return reachBucket(parts, store);
  const folder = dataFolder(deployment.dataDir);
  if (databaseUrl !== undefined) {
    await makeDataFolder(folder);
    if (purpose === 'adding') parts.resources.use(await claimWriting(folder));
  }
  return parts.resources.use(await inData(folder.blobs, () => diskBlobs(folder.blobs)));
}

async function openBucket(
  parts: EngineParts,
  database: EmittingDatabase,
  store: BlobsStore,
): Promise<Blobs> {
  const { clock, log, resources } = parts;
  const blobs = await reachBucket(parts, store);
  const sweep = () => recoverContents({ blobs, database });
  await sweep();
  const stop = clock.every(SWEEP_PERIOD_MS, () => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'leftovers could not be removed'));
  });
  resources.defer(stop);
  return blobs;
}

/** Connects to the S3-compatible storage that `variable` names. Throws StartError. */
export async function reachBucket(
  { config, clock, log, resources }: EngineParts,
  store: BlobsStore,
  variable = 'BLOBS_URL',
): Promise<Blobs> {
  const { dataDir, engines } = config.deployment;
  const { credentials, ...address } = store;
  await connectWithin({
    variable,
    place: `s3://${address.bucket}`,
    timeoutMs: engines.connectTimeoutMs,
    log,
    connect: () => checkS3({ address, credentials }),
    isLasting: (error) => error instanceof S3Error && error.outcome === 'refused',
  });
  await makeDataFolder(dataFolder(dataDir));
  const spoolFolder = join(dataDir, 'spool');
  return resources.use(
    await inData(spoolFolder, () => s3Blobs({ address, credentials, spoolFolder, log, clock })),
  );
}

function noFiles(): Error {
  return new NoFilesError('this process serves no files');
}
