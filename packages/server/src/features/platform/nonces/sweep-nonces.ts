import { NONCE_REMEMBERED_MS } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../ports/database/database.ts';
import { deleteAll } from '../../../ports/database/delete-after.ts';
import type { JobKind } from '../jobs/jobs.ts';
import { forgottenAtMs, sweptNonces } from './store.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

/** Forgets nonces that were used more than ten minutes ago, every ten minutes. */
export function sweepNonces({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Pick<Clock, 'unixMs'>;
}): JobKind {
  return {
    name: 'sweep-nonces',
    parse: () => undefined,
    everyMs: NONCE_REMEMBERED_MS,
    async run(_payload, { signal }) {
      const upToMs = forgottenAtMs(clock.unixMs());
      for (const swept of sweptNonces(upToMs)) {
        await deleteAll(database, swept, { atOnce: ROWS_AT_ONCE, signal });
      }
    },
  };
}
