import { DAY_MS } from '../../../lib/clock.ts';
import { sweep } from '../../platform/jobs/jobs.ts';
import { KEPT_FOR_MS } from './post-orders.ts';
import { deleteOld } from './order-store.ts';

/** Removes orders that nobody can read any more, and lists of periods that nobody has asked for within a day. */
export const sweepPostOrders = sweep('sweep-post-orders', KEPT_FOR_MS, ({ sql }, nowMs) =>
  deleteOld(sql, { ordersBeforeMs: nowMs - KEPT_FOR_MS, listsBeforeMs: nowMs - DAY_MS }),
);
