import type { InForce, AccessCode } from '../../../restrictions.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { BanList } from './ban-list.ts';
import { parseClientRange } from '../../../client-range.ts';
import { selectBans, selectRestrictions } from './store.ts';
import { Sha256 } from '../../../runtime/sha256.ts';

export const NOTHING_IN_FORCE: InForce = {
  isNothing: true,
  pauses: {},
  slowModeSeconds: 0,
  accessCode: undefined,
  bansOf: () => [],
};

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

function accessCodeOf(code: string): AccessCode {
  const own = hashOf(code);
  return { isSame: (given) => isSameHash(own, hashOf(given)) };
}

function hashOf(code: string): string {
  const hash = new Sha256();
  hash.update(Buffer.from(code));
  return hash.digest();
}

// Takes the same time whichever characters differ.
function isSameHash(one: string, other: string): boolean {
  let difference = 0;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
