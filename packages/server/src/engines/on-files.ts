import { dataFolder, inData, type DataFolder } from '../data-folder.ts';
import { openIdentity, ownerIdentity } from '../features/platform/identity/identity.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { openOutbox, ownerOutbox } from '../ports/outbox/outbox.ts';
import { openOneProcess } from './one-process.ts';
import { openWithRoom } from './disk-reserve.ts';
import { type EngineParts, type Engines, type OwnerPurpose } from './engines.ts';
import { settleContents, warnOfLostRecords } from './file-contents.ts';
import { openFolderDatabase, openFolderDatabaseForOwner } from './file-database.ts';

/** Opens the engines of an instance that is one process and keeps everything in its data folder. Throws StartError. */
export function openOnFiles(parts: EngineParts): Promise<Engines> {
  const { config, clock, log } = parts;
  const folder = dataFolder(config.deployment.dataDir);
  return openWithRoom(folder.path, async () => {
    const { resources } = parts;
    const tables = resources.use(await openFolderDatabase(parts));
    const ids = resources.use(await openIdentity(tables, clock));
    const alone = await openOneProcess(parts, tables, ids);
    const { bus } = alone;
    const database = resources.use(
      openOutbox({ database: tables, bus, clock, log, rows: 'foreign' }),
    );
    const blobs = resources.use(await openFolder(folder));
    await settleContents({ blobs, database, log }, folder);
    await warnOfLostRecords({ blobs, database, log }, folder);
    return { ...alone, database, blobs };
  });
}

/** Opens the engines for an owner's command, with or without a running instance. Throws StartError. */
export async function openOnFilesForOwner(
  parts: EngineParts,
  purpose: OwnerPurpose,
): Promise<Engines> {
  const { config, clock, log, resources } = parts;
  const folder = dataFolder(config.deployment.dataDir);
  const tables = resources.use(await openFolderDatabaseForOwner(parts, purpose));
  const ids = resources.use(ownerIdentity(tables, clock));
  const alone = await openOneProcess(parts, tables, ids);
  const database = ownerOutbox(tables);
  const blobs = resources.use(await openFolder(folder));
  await warnOfLostRecords({ blobs, database, log }, folder);
  return { ...alone, database, blobs };
}

function openFolder({ blobs }: DataFolder): Promise<Blobs> {
  return inData(blobs, () => diskBlobs(blobs));
}
