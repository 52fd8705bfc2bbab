import type { Clock } from '../../lib/clock.ts';
import { MOST_KEYS } from '../../ports/bus/appended-keys.ts';
import type { AppendedKey } from '../../ports/bus/bus.ts';
import type { Database } from '../../ports/database/database.ts';
import { selectUsedAfter } from './store.ts';
import { forgottenAtMs, nonceKey } from './used-nonce.ts';

/** What was appended with nonces in a place and is remembered, for a bus that does not know it, the oldest first. */
export async function listAppended(
  { reader }: Pick<Database, 'reader'>,
  place: string,
  clock: Pick<Clock, 'unixMs'>,
): Promise<readonly AppendedKey[]> {
  const afterMs = forgottenAtMs(clock.unixMs());
  const used = await selectUsedAfter(reader, { place, afterMs }, MOST_KEYS);
  return used.map((each) => ({ key: nonceKey(each), id: each.resultId }));
}
