import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectRoles, type StoredRole } from './role-store.ts';

export type { StoredRole } from './role-store.ts';

/** The roles of communities, the weakest of each first. */
export function findRoles(db: Reader, communityIds: readonly Id[]): Promise<readonly StoredRole[]> {
  return selectRoles(db, communityIds);
}
