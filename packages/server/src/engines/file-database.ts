import {
  claimDataFolder,
  claimWriting,
  dataFolder,
  inData,
  makeDataFolder,
  requireData,
} from '../data-folder.ts';
import type { Logger } from '../log/logger.ts';
import type { Database } from '../ports/database/database.ts';
import { sqliteDatabase } from './databases.ts';
import { roomOnDisk } from './disk-reserve.ts';
import type { EngineParts, OwnerPurpose } from './engines.ts';

/** Opens the database in the data folder and claims it for the one instance that runs on it. Throws StartError. */
export async function openFolderDatabase({
  config,
  log,
  resources,
}: EngineParts): Promise<Database> {
  const folder = dataFolder(config.deployment.dataDir);
  await makeDataFolder(folder);
  resources.use(await claimDataFolder(folder));
  return openFile(folder.database, log);
}

/** Opens the database for an owner's command, with or without a running instance. Throws StartError. */
export async function openFolderDatabaseForOwner(
  { config, log, resources }: EngineParts,
  purpose: OwnerPurpose,
): Promise<Database> {
  const folder = dataFolder(config.deployment.dataDir);
  if (purpose === 'adding') {
    await makeDataFolder(folder);
    resources.use(await claimWriting(folder));
  } else {
    requireData(folder);
    resources.use(roomOnDisk(folder.path));
  }
  return openFile(folder.database, log);
}

function openFile(path: string, log: Logger): Promise<Database> {
  return inData(path, () => sqliteDatabase(path, { log }));
}
