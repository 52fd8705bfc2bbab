import { ID_EPOCH_SECONDS } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../ports/database/database.ts';
import { IdGenerator } from './id-generator.ts';
import { markReservation } from './mark-reservation.ts';
import { ALL_POSITIONS } from './residue-class.ts';
import { readIdentity, selectClasses, settleInstanceId } from './store.ts';

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
  return Math.max(0, Math.floor(clock.unixMs() / 1000) - ID_EPOCH_SECONDS) % INSTANCE_IDS;
}
