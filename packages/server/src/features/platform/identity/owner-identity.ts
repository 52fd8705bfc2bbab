import type { Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { IdSource } from '../../../ports/bus/id-source.ts';
import type { Database } from '../../../ports/database/database.ts';
import { IdGenerator, settled } from './id-generator.ts';
import { markReservation } from './mark-reservation.ts';
import { readInstanceId } from './open-identity.ts';
import { LOBBY_POSITIONS } from './residue-class.ts';

/**
 * The identifiers of an owner's command, beside an instance of one or many processes or without any. They are of the
 * lobby's class, which no process draws from by itself, and come after everything that was reserved. Nothing is read or
 * reserved before the first one is made.
 */
export function ownerIdentity(database: Database, clock: Clock): IdSource & AsyncDisposable {
  let opening: Promise<IdGenerator> | undefined;
  const opened = () => (opening ??= open(database, clock));
  return {
    next: async () => (await opened()).next(),
    after: async (id) => (await opened()).after(id),
    afterNow: () => undefined,
    async nextFor<Result>(use: (id: Id) => Result): Promise<Awaited<Result>> {
      const result: Result | Awaited<Result> = await (await opened()).nextFor(use);
      return settled(result as Result);
    },
    async [Symbol.asyncDispose]() {
      const ids = await opening?.catch(() => {});
      await ids?.[Symbol.asyncDispose]();
    },
  };
}

async function open(database: Database, clock: Clock): Promise<IdGenerator> {
  return new IdGenerator({
    instanceId: await readInstanceId(database, clock),
    clock,
    reserved: { positions: LOBBY_POSITIONS, from: 0, end: 0 },
    reservedSeconds: 0,
    ...markReservation(database, LOBBY_POSITIONS),
  });
}
