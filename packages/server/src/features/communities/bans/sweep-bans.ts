import { HOUR_MS } from '../../../lib/clock.ts';
import { sweep } from '../../platform/jobs/jobs.ts';
import { deleteExpired } from '../structure/structure.ts';

/** Forgets bans that have expired, once an hour. */
export const sweepBans = sweep('sweep-community-bans', HOUR_MS, ({ sql }, nowMs) =>
  deleteExpired(sql, nowMs),
);
