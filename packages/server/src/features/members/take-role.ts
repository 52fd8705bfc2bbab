import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { takeRoleFrom } from './member-roles-store.ts';

/**
 * Takes a role that is being removed from members, at most so many. Returns from how many. Memberships that are remembered
 * may still name it, which gives them nothing.
 */
export function takeRole(
  { sql }: Transaction,
  { id, most }: { readonly id: Id; readonly most: number },
): Promise<number> {
  return takeRoleFrom(sql, id, most);
}
