import type { Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { KEPT, type Database } from '../../../ports/database/database.ts';
import type { IdSource } from '../../../ports/bus/id-source.ts';
import { IdGenerator, settled, type IdGeneratorOptions } from './id-generator.ts';
import { ALL_POSITIONS, LOBBY_POSITIONS, idSeconds, type ResidueClass } from './residue-class.ts';
import { readIdentity, selectClasses, settleInstanceId, lockLease, writeMark } from './store.ts';

const INSTANCE_IDS = 2 ** 48;

/**
 * The source of the instance's identifiers. The instance's id is made at the first start and kept (Resources:
 * Identifier format).
 */
export async function openIdentity(database: Database, clock: Clock): Promise<IdGenerator> {
  const known = await readIdentity(database.reader);
  const classes = await selectClasses(database.reader);
  // Other processes may have drawn positions of their classes while there were several.
  const marks = [...classes.values()].map(({ mark }) => mark);
  const end = Math.max(known.id_mark ?? 0, ...marks);
  return new IdGenerator({
    instanceId: await readInstanceId(database, clock),
    clock,
    reserved: { positions: ALL_POSITIONS, from: 0, end },
    ...markReservation(database, ALL_POSITIONS, known.id_mark ?? 0),
  });
}

/** The instance's id, which is made if there is none. */
export async function readInstanceId(database: Database, clock: Clock): Promise<number> {
  const { instance_id: known } = await readIdentity(database.reader);
  if (known !== undefined) return known;
  return await database.transaction(({ sql }) => settleInstanceId(sql, madeInstanceId(clock)));
}

/** The id of an instance that is made now. */
export function madeInstanceId(clock: Clock): number {
  return idSeconds(clock) % INSTANCE_IDS;
}

/** At least this many positions are reserved at once. */
const LEAST_POSITIONS = 4_096;

/**
 * Reserves positions of a class from the mark that is stored. The instance and owner's commands beside it move the same
 * mark, so nobody draws what another one has reserved. `stored` is the mark as it was read, if it was.
 */
export function markReservation(
  database: Database,
  positions: ResidueClass,
  stored?: number,
): Pick<IdGeneratorOptions, 'reserve' | 'release'> {
  let own = stored;
  return {
    async reserve(wanted) {
      const { from, end } = await database.transaction(async ({ sql }) => {
        const { mark } = await lockLease(sql);
        const reserved = Math.max(wanted, mark + LEAST_POSITIONS);
        await writeMark(sql, reserved);
        return { from: mark === own ? 0 : mark, end: reserved };
      }, KEPT);
      own = end;
      return { positions, from, end };
    },
    async release(from) {
      await database.transaction(async ({ sql }) => {
        const { mark } = await lockLease(sql);
        // Otherwise somebody has reserved what comes after it.
        if (mark === own) await writeMark(sql, from);
      }, KEPT);
    },
  };
}

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
