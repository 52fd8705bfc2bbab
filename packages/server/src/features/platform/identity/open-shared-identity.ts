import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { IdSource } from '../../../ports/bus/id-source.ts';
import type { Database } from '../../../ports/database/database.ts';
import { ClassLease } from './class-leases.ts';
import { IdGenerator } from './id-generator.ts';
import { type IdBlock, IdLeases } from './id-leases.ts';
import { madeInstanceId } from './open-identity.ts';
import { processPositions } from './residue-class.ts';
import { settleIdentity } from './store.ts';

const KEY_BYTES = 16;

/** The time for which identifiers are reserved ahead, so that they last while the database is away for a moment. */
const RESERVED_SECONDS = 60;
const RENEW_MS = 20_000;

/** The identity of a process that shares its instance with others, and the source of its identifiers. */
export interface SharedIdentity {
  readonly instanceId: number;
  /** Random text that is different for every instance, so that several may share a Redis. */
  readonly instanceKey: string;
  /** Draws from a class of positions that no other process draws from. */
  readonly ids: IdSource & AsyncDisposable;
  /** Leases a block of positions for messages. Throws ServerError if identifiers are more than 60 s ahead of time. */
  readonly leaseIds: () => Promise<IdBlock>;
}

/** The identity of an instance of several processes: made by the first of them, or earlier by an embedded instance. */
export async function openSharedIdentity(
  database: Database,
  clock: Clock,
): Promise<SharedIdentity> {
  const made = {
    instanceId: madeInstanceId(clock),
    instanceKey: randomBytes(KEY_BYTES).toString('hex'),
  };
  const { instanceId, instanceKey } = await database.transaction(({ sql }) =>
    settleIdentity(sql, made),
  );
  const leases = new IdLeases(database, clock);
  const leaseIds = () => leases.lease();
  return { instanceId, instanceKey, ids: openProcessIds(database, clock, instanceId), leaseIds };
}

/** The identifiers that this process draws itself. Its class is leased with the first one, and renewed from then on. */
function openProcessIds(
  database: Database,
  clock: Clock,
  instanceId: number,
): SharedIdentity['ids'] {
  const lease = new ClassLease(database, clock);
  let isLeased = false;
  const generator = new IdGenerator({
    instanceId,
    clock,
    reserved: { positions: processPositions(0), from: 0, end: 0 },
    reservedSeconds: RESERVED_SECONDS,
    async reserve(end) {
      const reservation = await lease.reserve(end);
      isLeased = true;
      return reservation;
    },
    release: (from) => lease.release(from),
  });
  const stop = clock.every(RENEW_MS, () => {
    // If the database is away, what is reserved has to do; a caller that needs more gets the error.
    if (isLeased) generator.reserveAhead().catch(() => {});
  });
  return {
    next: () => generator.next(),
    nextFor: (use) => generator.nextFor(use),
    after: (id) => generator.after(id),
    afterNow: (id) => generator.afterNow(id),
    async [Symbol.asyncDispose]() {
      stop();
      await generator[Symbol.asyncDispose]();
    },
  };
}
