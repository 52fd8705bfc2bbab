import type { Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { MOST_KEYS } from '../../../ports/bus/appended-keys.ts';
import type { AppendedKey } from '../../../ports/bus/bus.ts';
import type { Database } from '../../../ports/database/database.ts';
import { selectGroupedAfter, forgottenAtMs, nonceKey } from './store.ts';

/**
 * Lists what was appended with nonces in a place and is remembered, for a bus that does not know it, the oldest first.
 */
export async function listAppended(
  { reader }: Pick<Database, 'reader'>,
  place: string,
  clock: Pick<Clock, 'unixMs'>,
): Promise<readonly AppendedKey[]> {
  const afterMs = forgottenAtMs(clock.unixMs());
  const used = await selectGroupedAfter(reader, { place, afterMs }, MOST_KEYS);
  const newest = new Map<string, Id>();
  for (const { resultId, ...rest } of used) {
    if (newest.size === MOST_KEYS) break;
    const key = nonceKey({ place, ...rest });
    if (!newest.has(key)) newest.set(key, resultId);
  }
  return Array.from(newest, ([key, id]) => ({ key, id })).toReversed();
}
