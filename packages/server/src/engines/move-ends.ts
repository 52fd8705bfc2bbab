import { join } from 'node:path';
import type { BlobsStore } from '../config/deployed-engines.ts';
import { claimLeftovers, claimStopped, dataFolder, inData, requireData } from '../data-folder.ts';
import type { MoveEnds } from '../features/migration/move.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { S3Error } from '../ports/blobs/s3-error.ts';
import { checkS3 } from '../ports/blobs/s3-store.ts';
import { s3Blobs } from '../ports/blobs/s3.ts';
import { connectWithin } from '../ports/connect-within.ts';
import type { Database } from '../ports/database/database.ts';
import { describePostgres } from '../ports/database/postgres-address.ts';
import { isLasting } from '../ports/database/postgres-error.ts';
import { claimDatabase, postgresDatabase } from '../ports/database/postgres.ts';
import { sqliteDatabase } from '../ports/database/sqlite.ts';
import { StartError } from '../start-error.ts';
import type { EngineParts } from './engines.ts';

/** Opens both ends of a move, for nobody else to use them until `resources` are disposed. Throws StartError. */
export async function openMoveEnds(parts: EngineParts): Promise<MoveEnds> {
  // The source first: nobody waits for a server to be told that the instance is running.
  const source = await openSource(parts);
  return { source, target: await openTarget(parts) };
}

async function openSource({ config, resources }: EngineParts): Promise<MoveEnds['source']> {
  const folder = dataFolder(config.deployment.dataDir);
  requireData(folder);
  resources.use(await claimStopped(folder));
  const leftovers = await claimLeftovers(folder);
  if (leftovers === undefined) {
    throw new StartError(`DATA_DIR: a command is adding a file to ${folder.path}: try again`);
  }
  resources.use(leftovers);
  return {
    database: resources.use(await inData(folder.database, () => sqliteDatabase(folder.database))),
    blobs: resources.use(await inData(folder.blobs, () => diskBlobs(folder.blobs))),
  };
}

async function openTarget(parts: EngineParts): Promise<MoveEnds['target']> {
  const { databaseUrl, blobs } = parts.config.deployment.engines;
  if (databaseUrl === undefined) throw new StartError('--to: expected a database to move to');
  return {
    database: await openDatabase(parts, databaseUrl),
    blobs: blobs === undefined ? undefined : await openBucket(parts, blobs),
  };
}

async function openDatabase(
  { config, log, resources }: EngineParts,
  url: string,
): Promise<Database> {
  const place = describePostgres(url);
  const timeoutMs = config.deployment.engines.connectTimeoutMs;
  const reaching = { variable: '--to', place, timeoutMs, log, isLasting };
  const claim = await connectWithin({
    ...reaching,
    connect: () => claimDatabase(url, 'alone', { log }),
  });
  if (claim === undefined) throw new StartError(`--to: an instance or a move is using ${place}`);
  resources.use(claim);
  const connect = () => postgresDatabase(url, { log });
  return resources.use(await connectWithin({ ...reaching, connect }));
}

async function openBucket(
  { config, clock, log, resources }: EngineParts,
  { credentials, ...address }: BlobsStore,
): Promise<Blobs> {
  const { dataDir, engines } = config.deployment;
  await connectWithin({
    variable: '--blobs',
    place: `s3://${address.bucket}`,
    timeoutMs: engines.connectTimeoutMs,
    log,
    connect: () => checkS3({ address, credentials }),
    isLasting: (error) => error instanceof S3Error && error.outcome === 'refused',
  });
  const spoolFolder = join(dataDir, 'spool');
  return resources.use(
    await inData(spoolFolder, () => s3Blobs({ address, credentials, spoolFolder, log, clock })),
  );
}
