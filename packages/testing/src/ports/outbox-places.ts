import { LOBBY_STREAM } from '@hearth/protocol';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../../server/src/lib/clock.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Bus } from '../../../server/src/ports/bus/bus.ts';
import { memoryBus } from '../../../server/src/ports/bus/memory.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import {
  openOutbox,
  ownerOutbox,
  type EmittingDatabase,
} from '../../../server/src/ports/outbox/outbox.ts';
import type { SharedEnvironment } from '../instances/cluster.ts';
import { writeMigratedSqlite } from '../servers/migrated-sqlite.ts';
import { patientPostgres } from '../servers/patient-postgres.ts';
import { tempFolder } from '../temp-folder.ts';
import { countedIds } from './id-source.ts';
import { freshPrefix, openSharedBus } from './shared-bus.ts';

/** Parts that stand between an outbox and what it works with. */
export interface OutboxParts {
  readonly bus?: ((bus: Bus) => Bus) | undefined;
  readonly database?: (database: Database) => Database;
  readonly clock?: Clock;
}

/** A running process of an instance, as far as its outbox is concerned. */
export interface OutboxMember extends AsyncDisposable {
  readonly database: EmittingDatabase;
  readonly bus: Bus;
}

/** The address at which another process finds the data of an instance. */
export type PlaceAddress =
  | { readonly engine: 'folder'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string }
  | {
      readonly engine: 'shared';
      readonly environment: SharedEnvironment;
      readonly prefix: string;
    };

/** A place where an instance has its data. */
export interface OutboxPlace extends AsyncDisposable {
  readonly address: PlaceAddress;
  /** Opens a running process: the only one, unless the instance may have several. */
  open(parts?: OutboxParts): Promise<OutboxMember>;
  /** Opens what an owner's command has. */
  openOwner(): Promise<EmittingDatabase>;
}

const log = jsonLogger('silent', () => {});

/** A data folder. */
export async function folderPlace(): Promise<OutboxPlace> {
  const folder = await tempFolder();
  await writeMigratedSqlite(join(folder.path, 'hearth.sqlite'));
  const place = placeAt({ engine: 'folder', path: folder.path });
  return { ...place, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** A database of PostgreSQL that one process uses. */
export function postgresPlace(url: string): OutboxPlace {
  return placeAt({ engine: 'postgres', url });
}

/** A database of PostgreSQL and a Redis that several processes share; those with the same prefix are one instance. */
export function sharedPlace(environment: SharedEnvironment, prefix = freshPrefix()): OutboxPlace {
  return placeAt({ engine: 'shared', environment, prefix });
}

/** The place that another process has made. */
export function placeAt(address: PlaceAddress): OutboxPlace {
  const { rows, openTables, openBus } = enginesOf(address);
  return {
    address,
    open: (parts) => openMember(openTables, openBus, { rows, ...parts }),
    openOwner: () => openOwner(openTables),
    [Symbol.asyncDispose]: async () => {},
  };
}

interface Engines {
  readonly rows: 'all' | 'foreign';
  readonly openTables: () => Promise<Database>;
  readonly openBus: () => Promise<AsyncDisposable & { readonly bus: Bus }>;
}

function enginesOf(address: PlaceAddress): Engines {
  switch (address.engine) {
    case 'folder':
      return {
        rows: 'foreign',
        openTables: () => sqliteDatabase(join(address.path, 'hearth.sqlite')),
        openBus: openMemoryBus,
      };
    case 'postgres':
      return {
        rows: 'all',
        openTables: () => patientPostgres(address.url),
        openBus: openMemoryBus,
      };
    case 'shared': {
      const { DATABASE_URL = '', REDIS_URL = '' } = address.environment;
      return {
        rows: 'all',
        openTables: () => patientPostgres(DATABASE_URL),
        openBus: () => openSharedBus({ url: REDIS_URL, prefix: address.prefix }),
      };
    }
  }
}

async function openMember(
  openTables: () => Promise<Database>,
  openBus: () => Promise<AsyncDisposable & { readonly bus: Bus }>,
  parts: OutboxParts & { readonly rows: 'all' | 'foreign' },
): Promise<OutboxMember> {
  await using resources = new AsyncDisposableStack();
  const tables = resources.use(await openTables());
  const { bus } = resources.use(await openBus());
  const outbox = openOutbox({
    database: parts.database?.(tables) ?? tables,
    bus: parts.bus?.(bus) ?? bus,
    clock: parts.clock ?? systemClock,
    log,
    rows: parts.rows,
  });
  const database = resources.use(outbox);
  const owned = resources.move();
  return { database, bus, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openOwner(openTables: () => Promise<Database>): Promise<EmittingDatabase> {
  const tables = await openTables();
  return { ...ownerOutbox(tables), [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose]() };
}

async function openMemoryBus() {
  const bus = memoryBus({ ids: countedIds(), journaled: LOBBY_STREAM, keep: () => {} });
  return { bus, [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose]() };
}
