import { KEPT, type Database } from '../../../ports/database/database.ts';
import type { IdGeneratorOptions } from './id-generator.ts';
import type { ResidueClass } from './residue-class.ts';
import { lockLease, writeMark } from './store.ts';

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
