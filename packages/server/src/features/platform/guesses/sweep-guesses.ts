import { HOUR_MS } from '../../../lib/clock.ts';
import { sweep } from '../jobs/jobs.ts';
import { REMEMBERED_MS } from './allowances.ts';
import { deleteFailuresBefore } from './store.ts';

/** Forgets wrong guesses that no longer count, once an hour. */
export const sweepGuesses = sweep('sweep-guesses', HOUR_MS, ({ sql }, nowMs) =>
  deleteFailuresBefore(sql, nowMs - REMEMBERED_MS),
);
