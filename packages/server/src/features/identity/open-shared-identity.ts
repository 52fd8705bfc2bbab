import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../ports/database/database.ts';
import { type IdBlock, IdLeases } from './id-leases.ts';
import { LeasedIds } from './leased-ids.ts';
import { madeInstanceId } from './open-identity.ts';
import { selectIdentity, writeIdentity } from './store.ts';

const KEY_BYTES = 16;

/** Who a process is that shares its instance with others, and where its identifiers come from. */
export interface SharedIdentity {
  readonly instanceId: number;
  /** Random text that is another one for every instance, so that several may share a Redis. */
  readonly instanceKey: string;
  readonly ids: LeasedIds;
  /** Leases a block of positions for messages. Throws ServerError when identifiers are more than 60 s ahead of time. */
  readonly leaseIds: () => Promise<IdBlock>;
}

/** The identity of an instance of several processes: made by the first of them, or by an embedded instance before. */
export async function openSharedIdentity(
  database: Database,
  clock: Clock,
): Promise<SharedIdentity> {
  const { instanceId, instanceKey } = await settleIdentity(database, clock);
  const leases = new IdLeases(database, clock);
  const leaseIds = () => leases.lease();
  const ids = new LeasedIds({ instanceId, clock, leaseIds });
  return { instanceId, instanceKey, ids, leaseIds };
}

// Looked at in the transaction, so that of two processes that start at once one makes it and the other one finds it.
function settleIdentity(database: Database, clock: Clock) {
  return database.quietTransaction(async (writer) => {
    const known = await selectIdentity(writer);
    const identity = {
      instanceId: known.instanceId ?? madeInstanceId(clock),
      instanceKey: known.instanceKey ?? randomBytes(KEY_BYTES).toString('hex'),
    };
    if (known.instanceId === undefined || known.instanceKey === undefined) {
      await writeIdentity(writer, identity);
    }
    return identity;
  });
}
