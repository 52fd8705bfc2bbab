import { openIdentity } from '../features/identity/open-identity.ts';
import { openAlone } from './alone.ts';
import { NO_IDENTIFIERS, type EngineParts, type Engines, type OwnerPurpose } from './engines.ts';
import { openBlobs, openBlobsForOwner } from './external-blobs.ts';
import { openDatabase, openDatabaseForOwner } from './external-database.ts';
import { openShared } from './shared.ts';

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
