import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../../ports/database/database.ts';

/** A name that an account takes. */
export interface NameTaking {
  readonly skeleton: string;
  readonly username: string;
  readonly userId: Id;
  readonly nowMs: number;
}

/** Takes a name for an account; false if another one has a name that looks the same. */
export async function takeName(
  tx: Pick<Transaction, 'sql' | 'changed'>,
  { skeleton, username, userId, nowMs }: NameTaking,
): Promise<boolean> {
  const taken = { username, user_id: userId, free_at_ms: 0 };
  tx.changed('names', skeleton);
  const row = await tx.sql
    .insertInto('user_names')
    .values({ skeleton, ...taken })
    .onConflict((conflict) =>
      conflict
        .column('skeleton')
        .doUpdateSet(taken)
        .where('user_names.free_at_ms', '>', 0)
        .where('user_names.free_at_ms', '<=', nowMs),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id === userId;
}

/** Gives up the names of an account, which are free from a moment on. Returns what they look like. */
export async function giveUpNames(
  db: Writer,
  userId: Id,
  freeAtMs: number,
): Promise<readonly string[]> {
  const rows = await db
    .updateTable('user_names')
    .set({ free_at_ms: freeAtMs })
    .where('user_id', '=', userId)
    .where('free_at_ms', '=', 0)
    .returning('skeleton')
    .execute();
  return rows.map(({ skeleton }) => skeleton);
}

/** Deletes names that have become free. Returns what they look like. */
export async function deleteFreeNames(db: Writer, nowMs: number): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom('user_names')
    .where('free_at_ms', '>', 0)
    .where('free_at_ms', '<=', nowMs)
    .returning('skeleton')
    .execute();
  return rows.map(({ skeleton }) => skeleton);
}
