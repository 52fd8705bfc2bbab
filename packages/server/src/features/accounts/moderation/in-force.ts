import type { InForce } from '../../../restrictions.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { accessCodeOf } from './access-code.ts';
import { BanList } from './ban-list.ts';
import { parseClientRange } from '../../../client-range.ts';
import { selectBans, selectRestrictions } from './store.ts';

/** No restrictions. */
export const NOTHING_IN_FORCE: InForce = {
  isNothing: true,
  pauses: {},
  slowModeSeconds: 0,
  accessCode: undefined,
  bansOf: () => [],
};

/** Reads what is restricted. */
export async function readInForce(db: Reader, nowMs: number): Promise<InForce> {
  const { pauses, slowModeSeconds = 0, accessCode: code } = await selectRestrictions(db);
  const bans = await selectBans(db, nowMs);
  const list = new BanList(
    bans.flatMap(({ clients, until, reason }) => {
      const range = parseClientRange(clients);
      // What clients may see of it, and nothing else.
      const term = {
        ...(until !== undefined && { until }),
        ...(reason !== undefined && { reason }),
      };
      return range === undefined ? [] : [{ range, term }];
    }),
  );
  const isNothing =
    Object.keys(pauses).length === 0 && slowModeSeconds === 0 && code === undefined && list.isEmpty;
  return {
    isNothing,
    pauses,
    slowModeSeconds,
    accessCode: code === undefined ? undefined : accessCodeOf(code),
    bansOf: (client) => list.of(client),
  };
}
