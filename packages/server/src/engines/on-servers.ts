import { dataFolder } from '../data-folder.ts';
import { openIdentity, ownerIdentity } from '../features/platform/identity/identity.ts';
import { openOutbox, ownerOutbox } from '../ports/outbox/outbox.ts';
import { openOneProcess } from './one-process.ts';
import { openWithRoom } from './disk-reserve.ts';
import { type EngineParts, type Engines, type OwnerPurpose } from './engines.ts';
import { openBlobs, openBlobsForOwner } from './server-blobs.ts';
import { openDatabase, openDatabaseForOwner } from './server-database.ts';
import { openManyProcesses } from './many-processes.ts';

/** Opens the engines of an instance that uses at least one server. Throws StartError. */
export function openOnServers(parts: EngineParts): Promise<Engines> {
  const { dataDir, engines } = parts.config.deployment;
  const open = () => openEngines(parts);
  // Without a database server, the database is in the data folder.
  return engines.databaseUrl === undefined ? openWithRoom(dataFolder(dataDir).path, open) : open();
}

async function openEngines(parts: EngineParts): Promise<Engines> {
  const { clock, log, resources } = parts;
  const { databaseUrl, redisUrl } = parts.config.deployment.engines;
  const tables = resources.use(await openDatabase(parts));
  const core =
    redisUrl === undefined
      ? await openOneProcess(parts, tables, resources.use(await openIdentity(tables, clock)))
      : await openManyProcesses(parts, tables, redisUrl);
  // Also needed without Redis: if the connection is lost during a commit, only a row shows whether it succeeded.
  const rows = databaseUrl === undefined ? 'foreign' : 'all';
  const outbox = openOutbox({ database: tables, bus: core.bus, clock, log, rows });
  const database = resources.use(outbox);
  return { ...core, database, blobs: await openBlobs(parts, database) };
}

/** Opens the engines for an owner's command, with or without running processes. Throws StartError. */
export async function openOnServersForOwner(
  parts: EngineParts,
  purpose: OwnerPurpose,
): Promise<Engines> {
  const { clock, resources } = parts;
  const tables = resources.use(await openDatabaseForOwner(parts, purpose));
  const core = await openOneProcess(parts, tables, resources.use(ownerIdentity(tables, clock)));
  const blobs = await openBlobsForOwner(parts, purpose);
  return { ...core, database: ownerOutbox(tables), blobs };
}
