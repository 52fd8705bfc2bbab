import { ID_EPOCH_SECONDS } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../ports/database/database.ts';
import { allPositions, IdGenerator } from './id-generator.ts';
import { readSettings, selectClasses, writeSetting } from './store.ts';

const INSTANCE_IDS = 2 ** 48;

/**
 * The source of the instance's identifiers. The instance's id is made at the first start and kept (Resources:
 * Identifier format).
 */
export async function openIdentity(database: Database, clock: Clock): Promise<IdGenerator> {
  const known = await readSettings(database.reader);
  const classes = await selectClasses(database.reader);
  // Other processes may have drawn positions of their classes while there were several.
  const marks = [...classes.values()].map(({ mark }) => mark);
  const end = Math.max(known.id_mark ?? 0, ...marks);
  const storeMark = (value: number) =>
    database.transaction(({ sql }) => writeSetting(sql, 'id_mark', value));
  const instanceId = known.instance_id ?? (await makeInstanceId(database, clock));
  return new IdGenerator({
    instanceId,
    clock,
    ...allPositions(end, storeMark),
  });
}

async function makeInstanceId(database: Database, clock: Clock): Promise<number> {
  const made = madeInstanceId(clock);
  await database.transaction(({ sql }) => writeSetting(sql, 'instance_id', made));
  return made;
}

/** The id of an instance that is made now. */
export function madeInstanceId(clock: Clock): number {
  return Math.max(0, Math.floor(clock.unixMs() / 1000) - ID_EPOCH_SECONDS) % INSTANCE_IDS;
}
