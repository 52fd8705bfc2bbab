import { claimLeftovers, claimStopped, dataFolder, inData, requireData } from '../data-folder.ts';
import type { MoveEnds } from '../features/migration/move.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { connectWithin } from '../ports/connect-within.ts';
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

async function openTarget({ config, log, resources }: EngineParts): Promise<MoveEnds['target']> {
  const { databaseUrl, connectTimeoutMs } = config.deployment.engines;
  if (databaseUrl === undefined) throw new StartError('--to: expected a database to move to');
  const place = describePostgres(databaseUrl);
  const reach = <Connection>(connect: () => Promise<Connection>) =>
    connectWithin({
      variable: '--to',
      place,
      timeoutMs: connectTimeoutMs,
      log,
      connect,
      isLasting,
    });
  const claim = await reach(() => claimDatabase(databaseUrl, 'alone', { log }));
  if (claim === undefined) throw new StartError(`--to: an instance or a move is using ${place}`);
  resources.use(claim);
  const database = await reach(() => postgresDatabase(databaseUrl, { log }));
  return { database: resources.use(database), blobs: undefined };
}
