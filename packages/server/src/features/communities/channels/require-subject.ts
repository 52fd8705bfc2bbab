import {
  hasPermission,
  PERMISSIONS,
  permissionsOf,
  ValidationError,
  type Id,
} from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { selectMember, type MemberAccess } from '../structure/structure.ts';
import { rankOf, requireAbove } from '../roles/roles.ts';

/** A role or member whom an overwrite names. */
interface Subject {
  readonly id: Id;
  readonly kind: 'role' | 'member';
}

/** Throws ValidationError unless the community has the role or member, and ForbiddenError unless it is below the caller. */
export async function requireSubject(
  tx: Transaction,
  access: MemberAccess,
  subject: Subject,
): Promise<void> {
  if (await isBelow(tx, access, subject)) return;
  throw new ValidationError('id', `must be a ${subject.kind} of the community`);
}

/** False if the community has no such role or member. Throws ForbiddenError unless it is below the caller. */
export async function isBelow(
  tx: Transaction,
  access: MemberAccess,
  { id, kind }: Subject,
): Promise<boolean> {
  const { community, member } = access;
  if (kind === 'role') {
    const role = community.roleById.get(id);
    if (role === undefined) return false;
    if (role.position > 0) requireAbove(access, role.position);
    return true;
  }
  if (id === member.userId) return true;
  const other = await selectMember(tx.sql, community.stored.id, id);
  if (other === undefined) return false;
  const everything = permissionsOf({ kind: 'member', id, role_ids: other.roleIds }, community);
  const isStrong = hasPermission(PERMISSIONS, everything, 'ADMINISTRATOR');
  if (isStrong || other.roleIds.length > 0) {
    requireAbove(access, rankOf({ community, member: other }));
  }
  return true;
}
