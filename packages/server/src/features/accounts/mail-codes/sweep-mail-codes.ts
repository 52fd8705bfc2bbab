import { MAIL_CODE_MS } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { deleteMailCodesBefore } from './store.ts';

/** Forgets codes that can no longer be redeemed, once an hour. */
export function sweepMailCodes({ database, clock }: Pick<Context, 'database' | 'clock'>): JobKind {
  return {
    name: 'sweep-mail-codes',
    parse: () => undefined,
    everyMs: MAIL_CODE_MS,
    async run() {
      const beforeMs = clock.unixMs() - MAIL_CODE_MS;
      await database.transaction(({ sql }) => deleteMailCodesBefore(sql, beforeMs));
    },
  };
}
