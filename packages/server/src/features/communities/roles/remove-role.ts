import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { deleteAfter, type RowPlace } from '../../../ports/database/delete-after.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import { deleteRole, markRoleDeleted, sweptRole } from '../structure/structure.ts';

/** Members of one transaction, so that nobody else waits long for the community. */
const MEMBERS_AT_ONCE = 1_000;

const removalSchema = z.object({ role_id: idSchema });

type Removal = z.infer<typeof removalSchema>;

const REMOVE_ROLE: Pick<JobKind<Removal>, 'name' | 'parse'> = {
  name: 'remove-role',
  parse: (json) => removalSchema.parse(json),
};

/**
 * Removes a role of a community that is locked. It is nobody's role from then on. If very many members have it, a job
 * removes what is left.
 */
export async function removeRole(tx: Transaction, id: Id, nowMs: number): Promise<void> {
  // Memberships that are remembered may still name it, which gives them nothing.
  const taken = await deleteAfter(tx.sql, sweptRole(id), {
    after: undefined,
    limit: MEMBERS_AT_ONCE,
  });
  if (taken === undefined) return await deleteRole(tx.sql, id);
  await markRoleDeleted(tx.sql, id);
  await addJob(tx, REMOVE_ROLE, { payload: { role_id: id }, nowMs });
}

/** The kind of jobs that remove roles that were deleted and that very many members had. */
export function removeRoles({ database }: Pick<Context, 'database'>): JobKind<Removal> {
  return {
    ...REMOVE_ROLE,
    mostAttempts: 10,
    async run({ role_id: id }, { signal }) {
      let after: RowPlace | undefined;
      do {
        signal.throwIfAborted();
        const range = { after, limit: MEMBERS_AT_ONCE };
        after = await database.transaction(({ sql }) => deleteAfter(sql, sweptRole(id), range));
      } while (after !== undefined);
      await database.transaction(({ sql }) => deleteRole(sql, id));
    },
  };
}
