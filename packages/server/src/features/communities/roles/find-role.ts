import { NotFoundError, type Id } from '@hearth/protocol';
import type { KnownCommunity } from '../structure/known-community.ts';
import type { StoredRole } from '../structure/role-store.ts';

/** A role of a community. Throws NotFoundError if it has no such role. */
export function findRole({ roleById }: Pick<KnownCommunity, 'roleById'>, id: Id): StoredRole {
  const role = roleById.get(id);
  if (role === undefined) throw new NotFoundError();
  return role;
}
