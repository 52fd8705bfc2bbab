import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { KEPT_FOR_MS } from './post-orders.ts';
import { deleteOld } from './order-store.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes orders that nobody can read any more, and lists of periods that nobody has asked for within a day. */
export function sweepPostOrders({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-post-orders',
    parse: () => undefined,
    everyMs: KEPT_FOR_MS,
    async run() {
      const nowMs = clock.unixMs();
      const old = { ordersBeforeMs: nowMs - KEPT_FOR_MS, listsBeforeMs: nowMs - DAY_MS };
      await database.transaction(({ sql }) => deleteOld(sql, old));
    },
  };
}
