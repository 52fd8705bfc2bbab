import type { Transaction } from '../../../ports/database/database.ts';
import { insertRole, type StoredRole } from '../structure/structure.ts';

type Optional = 'colour' | 'hoisted' | 'mentionable' | 'self_assignable';

export type NewStoredRole = Omit<StoredRole, 'version' | 'deleted' | Optional> &
  Partial<Pick<StoredRole, Optional>>;

/** Adds a role to a community that is locked or new. */
export async function addRole(tx: Transaction, role: NewStoredRole): Promise<void> {
  const usual = { colour: '', hoisted: 0, mentionable: 0, self_assignable: 0 };
  await insertRole(tx.sql, { ...usual, ...role });
  tx.changed('communities', role.community_id);
}
