import { z } from 'zod';
import { idSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { eraseRows } from './erase-rows.ts';
import type { EraseContent } from './eraser.ts';

/** More than a request takes whose token was checked before the account ended, in milliseconds. */
const LONGEST_REQUEST_MS = 3_600_000;

const erasureSchema = z.object({ user_id: idSchema, content: z.enum(['keep', 'erase']) });

/** Whose data goes, and whether what they wrote goes too. */
export type AccountErasure = z.infer<typeof erasureSchema>;

const ERASE_ACCOUNT: Pick<JobKind<AccountErasure>, 'name' | 'parse'> = {
  name: 'erase-account',
  parse: (json) => erasureSchema.parse(json),
};

/** What is erased: what features have of a person, and the rows of tables. */
interface Erasing<Ctx> {
  readonly erasers: readonly EraseContent<Ctx>[];
  readonly tables: TableList;
}

/** Erases what is left of a deleted account: first what its person wrote and uploaded, then every row that names them. */
export function eraseAccount<Ctx extends Pick<Context, 'database'>>(
  ctx: Ctx,
  { erasers, tables }: Erasing<Ctx>,
): JobKind<AccountErasure> {
  return {
    ...ERASE_ACCOUNT,
    // Until it succeeds: a failed job would be forgotten, and the person's data would stay.
    mostAttempts: Infinity,
    async run({ user_id: userId, content }, { signal }) {
      for (const erase of erasers) await erase(ctx, { userId, content, signal });
      await eraseRows(ctx.database, tables, { personId: userId, signal });
    },
  };
}

/**
 * Adds the jobs that erase what is left of an account: one for now, and one for what requests write that began before the
 * account ended.
 */
export async function addErasures(
  tx: Transaction,
  payload: AccountErasure,
  nowMs: number,
): Promise<void> {
  const id = `erase-account-${payload.user_id}`;
  await addJob(tx, ERASE_ACCOUNT, { payload, nowMs, id });
  await addJob(tx, ERASE_ACCOUNT, {
    payload,
    nowMs,
    id: `${id}-again`,
    dueAtMs: nowMs + LONGEST_REQUEST_MS,
  });
}
