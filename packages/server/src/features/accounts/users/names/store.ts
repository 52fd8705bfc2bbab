import type { Id } from '@hearth/protocol';
import { SKELETON_VERSION } from '../../../../lib/skeleton.ts';
import type { Reader, Transaction, Writer } from '../../../../ports/database/database.ts';

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
  const taken = { username, user_id: userId, free_at_ms: 0, look_version: SKELETON_VERSION };
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

/** A name whose skeleton was computed by older rules. */
export interface OutdatedName {
  readonly skeleton: string;
  readonly username: string;
}

/** Such names, by their skeletons. */
export async function selectOutdatedNames(
  db: Reader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly OutdatedName[]> {
  return await db
    .selectFrom('user_names')
    .select(['skeleton', 'username'])
    .where('look_version', '<', SKELETON_VERSION)
    .where('skeleton', '>', after)
    .orderBy('skeleton')
    .limit(limit)
    .execute();
}

/** Replaces the skeleton of a name, unless another account has one that looks the same by now. */
export async function renewSkeleton(
  tx: Pick<Transaction, 'sql' | 'changed'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.sql
    .updateTable('user_names')
    .set({ skeleton: to, look_version: SKELETON_VERSION })
    .where('skeleton', '=', from)
    .where((where) => {
      const other = where.selectFrom('user_names as other').select('other.skeleton');
      return where.not(where.exists(other.where('other.skeleton', '=', to)));
    })
    .execute();
  for (const skeleton of [from, to]) tx.changed('names', skeleton);
}

/** Notes that skeletons were computed by the present rules. */
export async function markRenewed(db: Writer, skeletons: readonly string[]): Promise<void> {
  await db
    .updateTable('user_names')
    .set({ look_version: SKELETON_VERSION })
    .where('skeleton', 'in', skeletons)
    .execute();
}
