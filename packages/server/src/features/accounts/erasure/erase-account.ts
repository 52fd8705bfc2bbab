import { z } from 'zod';
import { idSchema } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction, Database } from '../../../ports/database/database.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import { deleteRowsOf, emptyRowsOf } from './store.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

/** More than a request takes whose token was checked before the account ended, in milliseconds. */
const LONGEST_REQUEST_MS = 3_600_000;

const erasureSchema = z.object({ user_id: idSchema, content: z.enum(['keep', 'erase']) });

/** Whose data goes, and whether what they wrote goes too. */
export type AccountErasure = z.infer<typeof erasureSchema>;

const ERASE_ACCOUNT: Pick<JobKind<AccountErasure>, 'name' | 'parse'> = {
  name: 'erase-account',
  parse: (json) => erasureSchema.parse(json),
};

/** The things to erase: what features have of a person, and the rows of tables. */
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

/** The treatment of what a person wrote when the account is deleted: it stays without their name, or it goes. */
export type ErasedContent = 'keep' | 'erase';

/** A deleted account, and what of it is erased. */
export interface ErasedAccount {
  readonly userId: Id;
  readonly content: ErasedContent;
  readonly signal: AbortSignal;
}

/** Erases what a feature has of a deleted account. It may have been interrupted before, so it allows for being repeated. */
export type EraseContent<Ctx = Context> = (ctx: Ctx, account: ErasedAccount) => Promise<void>;

/** Removes or empties the rows of all tables that name a person, as the tables say. It can be interrupted and repeated. */
export async function eraseRows(
  database: Pick<Database, 'transaction'>,
  tables: TableList,
  { personId, signal }: { readonly personId: string; readonly signal: AbortSignal },
): Promise<void> {
  // What refers to something goes before it.
  for (const [table, data] of Object.entries(tables).toReversed()) {
    for (const [column, erasure] of Object.entries(data.people ?? {})) {
      if (erasure === undefined || erasure.rows === 'kept') continue;
      const rows = { table, data, column, id: personId };
      for (let done = ROWS_AT_ONCE; done === ROWS_AT_ONCE;) {
        signal.throwIfAborted();
        done = await database.transaction(({ sql }) =>
          erasure.rows === 'removed'
            ? deleteRowsOf(sql, rows, ROWS_AT_ONCE)
            : emptyRowsOf(sql, { ...rows, columns: erasure.columns }, ROWS_AT_ONCE),
        );
      }
    }
  }
}
