import { claimLeftovers, claimStopped, dataFolder, inData, requireData } from '../data-folder.ts';
import type { MoveEnds } from '../features/operation/move-instance/move-instance.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { connectWithin } from '../ports/connect-within.ts';
import type { Database } from '../ports/database/database.ts';
import { claimDatabase } from '../ports/database/postgres.ts';
import { lockWrites } from '../ports/database/sqlite.ts';
import { StartError } from '../lib/start-error.ts';
import { OWNER_CONNECTIONS } from './database-connections.ts';
import { postgresDatabase, sqliteDatabase } from './databases.ts';
import type { EngineParts } from './engines.ts';
import { reachBucket } from './server-blobs.ts';
import { reaching } from './server-database.ts';

/** Opens both ends of a move; nobody else can use them until `resources` are disposed. Throws StartError. */
export async function openMoveEnds(parts: EngineParts): Promise<MoveEnds> {
  // The source comes first, so that nobody waits for a server only to learn that the instance is running.
  const source = await openSource(parts);
  return { source, target: await openTarget(parts) };
}

async function openSource({ config, log, resources }: EngineParts): Promise<MoveEnds['source']> {
  const folder = dataFolder(config.deployment.dataDir);
  requireData(folder);
  resources.use(await claimStopped(folder));
  const leftovers = await claimLeftovers(folder);
  if (leftovers === undefined) {
    throw new StartError(`DATA_DIR: a command is adding a file to ${folder.path}: try again`);
  }
  resources.use(leftovers);
  const database = resources.use(
    await inData(folder.database, () => sqliteDatabase(folder.database, { log })),
  );
  // An owner's command could still open it.
  resources.use(await inData(folder.database, () => lockWrites(folder.database)));
  return {
    reader: database.reader,
    blobs: resources.use(await inData(folder.blobs, () => diskBlobs(folder.blobs))),
  };
}

async function openTarget(parts: EngineParts): Promise<MoveEnds['target']> {
  const { databaseUrl, blobs } = parts.config.deployment.engines;
  if (databaseUrl === undefined) throw new StartError('--to: expected a database to move to');
  return {
    database: await openDatabase(parts, databaseUrl),
    blobs: blobs === undefined ? undefined : await reachBucket(parts, blobs, '--blobs'),
  };
}

async function openDatabase(parts: EngineParts, url: string): Promise<Database> {
  const { log, resources } = parts;
  const target = reaching(parts, url, '--to');
  const claim = await connectWithin({
    ...target,
    connect: () => claimDatabase(url, 'alone', { log }),
  });
  if (claim === undefined) {
    throw new StartError(`--to: an instance or a move is using ${target.place}`);
  }
  resources.use(claim);
  const connect = () => postgresDatabase(url, { log, connections: OWNER_CONNECTIONS });
  return resources.use(await connectWithin({ ...target, connect }));
}
