import { NotFoundError, type Id } from '@hearth/protocol';
import type { KnownCommunity, StoredRole } from '../structure/structure.ts';

/** A role of a community. Throws NotFoundError if it has no such role. */
export function findRole({ roleById }: Pick<KnownCommunity, 'roleById'>, id: Id): StoredRole {
  const role = roleById.get(id);
  if (role === undefined) throw new NotFoundError();
  return role;
}
