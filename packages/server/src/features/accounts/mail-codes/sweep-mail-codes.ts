import { MAIL_CODE_MS } from '@hearth/protocol';
import { sweep } from '../../platform/jobs/jobs.ts';
import { deleteMailCodesBefore } from './store.ts';

/** Forgets codes that can no longer be redeemed, once an hour. */
export const sweepMailCodes = sweep('sweep-mail-codes', MAIL_CODE_MS, ({ sql }, nowMs) =>
  deleteMailCodesBefore(sql, nowMs - MAIL_CODE_MS),
);
