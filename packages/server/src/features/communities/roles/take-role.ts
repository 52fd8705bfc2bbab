import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { deleteAfter, type RowPlace } from '../../../ports/database/delete-after.ts';
import { sweptRole } from '../structure/structure.ts';

/**
 * Takes a role that is being removed from members after a place, or from the first ones, about `limit`. Returns the last place, or
 * undefined if nobody after it has the role. Memberships that are remembered may still name it, which gives them nothing.
 */
export function takeRole(
  { sql }: Transaction,
  {
    id,
    after,
    limit,
  }: { readonly id: Id; readonly after: RowPlace | undefined; readonly limit: number },
): Promise<RowPlace | undefined> {
  return deleteAfter(sql, sweptRole(id), { after, limit });
}
