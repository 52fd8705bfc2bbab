import type { LobbyMessage } from '@hearth/protocol';
import type { IdSource } from '../context.ts';
import {
  claimDataFolder,
  claimWriting,
  dataFolder,
  inData,
  makeDataFolder,
  requireData,
} from '../data-folder.ts';
import { openIdentity } from '../features/identity/open-identity.ts';
import { openHistory } from '../features/messages/history.ts';
import { diskBlobs } from '../ports/blobs/disk.ts';
import { memoryBus } from '../ports/bus/memory.ts';
import type { Database } from '../ports/database/database.ts';
import { sqliteDatabase } from '../ports/database/sqlite.ts';
import { limitPolicies } from '../ports/limiter/limit-policies.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import { NO_IDENTIFIERS, type EngineParts, type Engines, type OwnerPurpose } from './engines.ts';
import { settleContents, warnOfLostRecords } from './folder-contents.ts';

/** The engines of an instance that is one process, all within it and its data folder. Throws StartError. */
export async function openEmbedded(parts: EngineParts): Promise<Engines> {
  const { config, clock, log, resources } = parts;
  const folder = dataFolder(config.deployment.dataDir);
  await makeDataFolder(folder);
  resources.use(await claimDataFolder(folder));
  const database = resources.use(
    await inData(folder.database, () => sqliteDatabase(folder.database)),
  );
  const ids = resources.use(await openIdentity(database, clock));
  const engines = await openBeside(parts, { database, ids });
  await settleContents({ ...engines, log }, folder);
  await warnOfLostRecords({ ...engines, log }, folder);
  return engines;
}

/** The same for an owner's command, beside a running instance or without one. Throws StartError. */
export async function openEmbeddedForOwner(
  parts: EngineParts,
  purpose: OwnerPurpose,
): Promise<Engines> {
  const { config, log, resources } = parts;
  const folder = dataFolder(config.deployment.dataDir);
  if (purpose === 'adding') {
    await makeDataFolder(folder);
    resources.use(await claimWriting(folder));
  } else {
    requireData(folder);
  }
  const database = resources.use(
    await inData(folder.database, () => sqliteDatabase(folder.database)),
  );
  const engines = await openBeside(parts, { database, ids: NO_IDENTIFIERS });
  await warnOfLostRecords({ ...engines, log }, folder);
  return engines;
}

async function openBeside(
  { config, clock, log, resources }: EngineParts,
  { database, ids }: { readonly database: Database; readonly ids: IdSource },
): Promise<Engines> {
  const { settings, deployment } = config;
  const { blobs } = dataFolder(deployment.dataDir);
  const history = resources.use(
    await openHistory({ database, clock, log, bounds: settings.rest.history }),
  );
  const keep = (message: LobbyMessage) => history.append(message);
  return {
    database,
    ids,
    history,
    bus: resources.use(memoryBus({ ids, keep })),
    limiter: resources.use(memoryLimiter(limitPolicies(settings), clock)),
    blobs: resources.use(await inData(blobs, () => diskBlobs(blobs))),
  };
}
