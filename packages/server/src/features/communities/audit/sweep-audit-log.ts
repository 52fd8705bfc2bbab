import type { Context } from '../../../context.ts';
import { deleteAll } from '../../../ports/database/delete-after.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { sweptEntries } from './entry-store.ts';
import { DAY_MS } from '../../../lib/clock.ts';

/** The time for which entries are kept. */
const KEPT_MS = 365 * DAY_MS;

/** Entries of one transaction, so that other writers never wait long. */
const ENTRIES_AT_ONCE = 1_000;

/** Forgets entries of audit logs that are older than a year, once a day. */
export function sweepAuditLog({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-audit-log',
    parse: () => undefined,
    everyMs: DAY_MS,
    async run(_payload, { signal }) {
      const beforeMs = clock.unixMs() - KEPT_MS;
      await deleteAll(database, sweptEntries(beforeMs), { atOnce: ENTRIES_AT_ONCE, signal });
    },
  };
}
