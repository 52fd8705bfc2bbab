import type { Transaction } from '../../../ports/database/database.ts';
import { insertRole, type StoredRole } from '../structure/structure.ts';

type Optional = 'colour' | 'isHoisted' | 'isMentionable' | 'isSelfAssignable';

export type NewStoredRole = Omit<StoredRole, 'version' | Optional> &
  Partial<Pick<StoredRole, Optional>>;

/** Adds a role to a community that is locked or new. */
export async function addRole(tx: Transaction, role: NewStoredRole): Promise<void> {
  await insertRole(tx.sql, {
    colour: '',
    isHoisted: false,
    isMentionable: false,
    isSelfAssignable: false,
    ...role,
  });
  tx.changed('communities', role.communityId);
}
