import type { LobbyMessage } from '@hearth/protocol';
import { NO_IDENTIFIERS, type EngineParts, type Engines, type OwnerPurpose } from './engines.ts';
import { openBlobs, openBlobsForOwner } from './external-blobs.ts';
import { openDatabase, openDatabaseForOwner } from './external-database.ts';
import { openIdentity } from '../features/identity/open-identity.ts';
import { openHistory } from '../features/messages/history.ts';
import { memoryBus } from '../ports/bus/memory.ts';
import type { Database } from '../ports/database/database.ts';
import { limitPolicies } from '../ports/limiter/limit-policies.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import { openShared } from './shared.ts';

type Core = Omit<Engines, 'blobs' | 'database'>;

/** The engines of an instance of which at least one is a server. Throws StartError. */
export async function openExternal(parts: EngineParts): Promise<Engines> {
  const { clock, resources } = parts;
  const { redisUrl } = parts.config.deployment.engines;
  const database = resources.use(await openDatabase(parts));
  const core =
    redisUrl === undefined
      ? await openAlone(parts, database, resources.use(await openIdentity(database, clock)))
      : await openShared(parts, database, redisUrl);
  return { ...core, database, blobs: await openBlobs(parts, database) };
}

/** The same for an owner's command, beside running processes or without any. Throws StartError. */
export async function openExternalForOwner(
  parts: EngineParts,
  purpose: OwnerPurpose,
): Promise<Engines> {
  const database = parts.resources.use(await openDatabaseForOwner(parts, purpose));
  const core = await openAlone(parts, database, NO_IDENTIFIERS);
  return { ...core, database, blobs: await openBlobsForOwner(parts, purpose) };
}

/** What a process has for itself where there is no Redis. */
async function openAlone(
  { config: { settings }, clock, log, resources }: EngineParts,
  database: Database,
  ids: Engines['ids'],
): Promise<Core> {
  const history = resources.use(
    await openHistory({ database, clock, log, bounds: settings.rest.history }),
  );
  const keep = (message: LobbyMessage) => history.append(message);
  return {
    ids,
    history,
    bus: resources.use(memoryBus({ ids, keep })),
    limiter: resources.use(memoryLimiter(limitPolicies(settings), clock)),
  };
}
