import type { LobbyMessage } from '@hearth/protocol';
import { systemClock, type Clock } from './clock.ts';
import { componentAddresses } from './component-addresses.ts';
import { startComponents, startWebAlone } from './components/start-components.ts';
import type { WebClient } from './components/web/start-web.ts';
import type { Config } from './config/config.ts';
import type { Addresses, Context, DoorContext, IdSource, Schemas } from './context.ts';
import {
  claimDataFolder,
  claimLeftovers,
  claimWriting,
  dataFolder,
  inData,
  makeDataFolder,
  requireData,
  type DataFolder,
} from './data-folder.ts';
import { areRecordsLost, recoverContents } from './features/contents/release-content.ts';
import { openIdentity } from './features/identity/open-identity.ts';
import { loadContentTypes } from './features/contents/media/sniff-content-type.ts';
import { openHistory } from './features/messages/history.ts';
import { loadedOnce } from './loaded-once.ts';
import { createLogger } from './log/logger.ts';
import { RefusalLog } from './log/refusal-log.ts';
import { diskBlobs } from './ports/blobs/disk.ts';
import { memoryBus } from './ports/bus/memory.ts';
import type { Database } from './ports/database/database.ts';
import { sqliteDatabase } from './ports/database/sqlite.ts';
import { limitPolicies } from './ports/limiter/limit-policies.ts';
import { memoryLimiter } from './ports/limiter/memory.ts';
import { HEARTH_VERSION } from './version.ts';

/** By then whoever waited for the start has the first answer. */
const START_IS_OVER_MS = 250;

/** A running instance. */
export interface Instance extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly web: WebClient;
  /** Stops cleanly: running requests finish, sockets are closed with "Server error". The same stop however often it is called. */
  stop(): Promise<void>;
}

/** What an owner's command works with, beside a running instance or without one. */
export interface OwnerContext extends Context, AsyncDisposable {}

/** What an owner's command does: `adding` makes data where there are none, `tending` lists and removes what there is. */
export type OwnerPurpose = 'adding' | 'tending';

/** What an instance has beside its configuration. */
export interface InstanceParts {
  /** The folder of the built web client; without one the instance serves none. */
  readonly webFolder?: string | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** Starts an instance. Throws StartError where the owner has to mend something. */
export async function startInstance(config: Config, parts: InstanceParts = {}): Promise<Instance> {
  const { clock = systemClock, webFolder } = parts;
  const { deployment } = config;
  await using resources = new AsyncDisposableStack();
  if (deployment.components.every((component) => component === 'web')) {
    const ctx = resources.use(await openDoorContext(config, clock));
    const alone = resources.use(await startWebAlone(ctx, { deployment, webFolder }));
    resources.defer(loadSoon(ctx, () => alone.loadRest()));
    return running(ctx, alone.web, resources.move());
  }
  const folder = dataFolder(deployment.dataDir);
  await makeDataFolder(folder);
  resources.use(await claimDataFolder(folder));
  const database = resources.use(await openDatabase(folder));
  const ids = resources.use(await openIdentity(database, clock));
  const ctx = await openContext(config, { clock, database, ids, resources });
  await settleContents(ctx, folder);
  await warnOfLostRecords(ctx, folder);
  const components = resources.use(await startComponents(ctx, { deployment, webFolder }));
  resources.defer(loadSoon(ctx, () => Promise.all([loadContext(ctx), components.loadRest()])));
  return running(ctx, components.web, resources.move());
}

function running(ctx: DoorContext, web: WebClient, owned: AsyncDisposableStack): Instance {
  const opened = web.state === 'served' ? { web: web.url } : {};
  ctx.log.info({ version: HEARTH_VERSION, ...ctx.addresses, ...opened }, 'instance started');
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    ctx.log.info({}, 'instance stopping');
    // Last in, first out: the doors close before what they use.
    await owned.disposeAsync();
    ctx.log.info({}, 'instance stopped');
  };
  return {
    addresses: ctx.addresses,
    web,
    stop: () => (stopped ??= stop()),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}

/**
 * Loads, when the start is over, what requests would have to wait for, and what may be gone from the disk by then.
 * Returns what calls it off.
 */
function loadSoon(ctx: DoorContext, load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => {
    load().catch((error: unknown) => ctx.log.error({ err: error }, 'a part of Hearth is missing'));
  }, START_IS_OVER_MS);
  return () => clearTimeout(timer);
}

function loadContext(ctx: Context): Promise<unknown> {
  return Promise.all([ctx.schemas(), ctx.database.reader(), loadContentTypes()]);
}

/** Opens the data of an instance for an owner's command. Throws StartError. */
export async function openOwnerContext(
  config: Config,
  purpose: OwnerPurpose,
): Promise<OwnerContext> {
  await using resources = new AsyncDisposableStack();
  const folder = dataFolder(config.deployment.dataDir);
  if (purpose === 'adding') {
    await makeDataFolder(folder);
    resources.use(await claimWriting(folder));
  } else {
    requireData(folder);
  }
  const database = resources.use(await openDatabase(folder));
  const ids: IdSource = {
    next: async () => noIdentifiers(),
    nextFor: noIdentifiers,
  };
  const ctx = await openContext(config, { clock: systemClock, database, ids, resources });
  await warnOfLostRecords(ctx, folder);
  const owned = resources.move();
  return { ...ctx, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function noIdentifiers(): never {
  throw new Error('only a running instance makes identifiers');
}

async function openDoorContext(
  { settings, deployment }: Config,
  clock: Clock,
): Promise<DoorContext & Disposable> {
  const log = await createLogger(deployment.logLevel);
  const refusals = new RefusalLog(log, clock);
  return {
    settings,
    addresses: componentAddresses({ settings, deployment }),
    clock,
    log,
    refusals,
    [Symbol.dispose]: () => refusals[Symbol.dispose](),
  };
}

async function openContext(
  config: Config,
  parts: { clock: Clock; database: Database; ids: IdSource; resources: AsyncDisposableStack },
): Promise<Context> {
  const { clock, database, ids, resources } = parts;
  const { settings, deployment } = config;
  const { blobs } = dataFolder(deployment.dataDir);
  const door = resources.use(await openDoorContext(config, clock));
  const { log } = door;
  const history = resources.use(
    await openHistory({ database, clock, log, bounds: settings.rest.history }),
  );
  const keep = (message: LobbyMessage) => history.append(message);
  return {
    ...door,
    database,
    ids,
    history,
    schemas: loadedOnce<Schemas>(() => import('@hearth/protocol/schemas')),
    bus: resources.use(memoryBus({ ids, keep })),
    limiter: resources.use(memoryLimiter(limitPolicies(settings), clock)),
    blobs: resources.use(await inData(blobs, () => diskBlobs(blobs))),
  };
}

function openDatabase({ database }: DataFolder): Promise<Database> {
  return inData(database, () => sqliteDatabase(database));
}

async function settleContents(ctx: Context, folder: DataFolder): Promise<void> {
  using leftovers = await claimLeftovers(folder);
  if (leftovers !== undefined) await inData(folder.blobs, () => recoverContents(ctx));
  else
    ctx.log.warn({}, 'a command is adding a file: leftovers of others stay until the next start');
}

async function warnOfLostRecords(ctx: Context, { blobs }: DataFolder): Promise<void> {
  if (!(await areRecordsLost(ctx))) return;
  ctx.log.warn(
    {},
    `${blobs} has contents that the database knows nothing of: restore hearth.sqlite from a backup to have them back`,
  );
}
