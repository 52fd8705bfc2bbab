import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from './clock.ts';
import { componentAddresses } from './component-addresses.ts';
import { startComponents } from './components/start-components.ts';
import type { Config } from './config/config.ts';
import type { Addresses, Context, IdSource } from './context.ts';
import { recoverContents } from './features/contents/release-content.ts';
import { openIdentity } from './features/identity/open-identity.ts';
import { createLogger } from './log/logger.ts';
import { RefusalLog } from './log/refusal-log.ts';
import { diskBlobs } from './ports/blobs/disk.ts';
import { memoryBus } from './ports/bus/memory.ts';
import { lockDataFolder } from './ports/database/data-lock.ts';
import type { Database } from './ports/database/database.ts';
import { sqliteDatabase } from './ports/database/sqlite.ts';
import { limitPolicies } from './ports/limiter/limit-policies.ts';
import { memoryLimiter } from './ports/limiter/memory.ts';
import { StartError } from './start-error.ts';
import { HEARTH_VERSION } from './version.ts';

/** A running instance. */
export interface Instance extends AsyncDisposable {
  readonly addresses: Addresses;
  /** Stops cleanly: running requests finish, sockets are closed with "Server error". The same stop however often it is called. */
  stop(): Promise<void>;
}

/** What an owner's command works with, beside a running instance or without one. */
export interface OwnerContext extends Context, AsyncDisposable {}

/** Starts an instance. Throws StartError where the owner has to mend something. `clock` is for tests. */
export async function startInstance(config: Config, clock: Clock = systemClock): Promise<Instance> {
  await using resources = new AsyncDisposableStack();
  const { dataDir } = config.deployment;
  await makeDataFolder(dataDir);
  resources.use(claimDataFolder(dataDir));
  const database = resources.use(await openDatabase(dataDir));
  const ids = resources.use(await openIdentity(database, clock));
  const ctx = await openContext(config, { clock, database, ids, resources });
  await recoverContents(ctx);
  resources.use(await startComponents(ctx, config.deployment));
  ctx.log.info({ version: HEARTH_VERSION, ...ctx.addresses }, 'instance started');
  const owned = resources.move();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    ctx.log.info('instance stopping');
    // Last in, first out: the doors close before what they use.
    await owned.disposeAsync();
    ctx.log.info('instance stopped');
  };
  return {
    addresses: ctx.addresses,
    stop: () => (stopped ??= stop()),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}

/** Opens the data of an instance for an owner's command. Throws StartError. */
export async function openOwnerContext(config: Config): Promise<OwnerContext> {
  await using resources = new AsyncDisposableStack();
  await makeDataFolder(config.deployment.dataDir);
  const database = resources.use(await openDatabase(config.deployment.dataDir));
  const ids: IdSource = {
    next: () => Promise.reject(new Error('only a running instance makes identifiers')),
  };
  const ctx = await openContext(config, { clock: systemClock, database, ids, resources });
  const owned = resources.move();
  return { ...ctx, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openContext(
  { settings, deployment }: Config,
  parts: { clock: Clock; database: Database; ids: IdSource; resources: AsyncDisposableStack },
): Promise<Context> {
  const { clock, database, ids, resources } = parts;
  const log = await createLogger(deployment.logLevel);
  return {
    settings,
    addresses: componentAddresses({ settings, deployment }),
    clock,
    log,
    database,
    ids,
    refusals: resources.use(new RefusalLog(log, clock)),
    bus: resources.use(memoryBus()),
    limiter: resources.use(memoryLimiter(limitPolicies(settings), clock)),
    blobs: resources.use(await diskBlobs(join(deployment.dataDir, 'blobs'))),
  };
}

async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new StartError(`DATA_DIR: cannot make the folder ${folder}: ${reason(error)}`);
  }
}

function claimDataFolder(folder: string): Disposable {
  try {
    const lock = lockDataFolder(folder);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw new StartError(`DATA_DIR: cannot use the folder ${folder}: ${reason(error)}`);
  }
  throw new StartError(`DATA_DIR: another instance is running on ${folder}`);
}

async function openDatabase(folder: string): Promise<Database> {
  const path = join(folder, 'hearth.sqlite');
  try {
    return await sqliteDatabase(path);
  } catch (error) {
    throw new StartError(`DATA_DIR: cannot open the database ${path}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
