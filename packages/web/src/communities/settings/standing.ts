import type { Id, Permission, Role } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';

/** The rank of the owner, who is above all; a person may change only what is below. The owner is above all. */
export const OWNER_RANK = Number.POSITIVE_INFINITY;

/** Returns how high somebody stands: the position of their highest role. */
export function rankOf(
  { owner_id: owner, roles }: Pick<MyCommunity, 'owner_id' | 'roles'>,
  user: Id | undefined,
  roleIds: readonly Id[],
): number {
  if (user === owner) return OWNER_RANK;
  const positions = roles.filter(({ id }) => roleIds.includes(id)).map(({ position }) => position);
  return Math.max(0, ...positions);
}

/** Returns whether the reader may change a role. */
export function mayChangeRole(community: MyCommunity, role: Role, reader: Id | undefined): boolean {
  const own = rankOf(community, reader, community.membership.role_ids);
  const isEveryone = role.id === community.id;
  return community.permissions.has('MANAGE_ROLES') && (isEveryone || role.position < own);
}

/** Returns whether the reader has all that a role allows, as far as their channels show it: only then may they give it. */
export function hasAllOf({ permissions, channels }: MyCommunity, role: Role): boolean {
  if (!role.permissions.every((permission) => permissions.has(permission))) return false;
  return channels.every(({ permissions: here, details }) => {
    const overwrite = details?.overwrites?.find(({ id }) => id === role.id);
    return overwrite === undefined || overwrite.allow.every((permission) => here.has(permission));
  });
}

/** Returns whether the reader may do something to a member that needs a permission. */
export function mayActOn(
  community: MyCommunity,
  member: { readonly user: { readonly id: Id }; readonly role_ids: readonly Id[] },
  { reader, needs }: { readonly reader: Id | undefined; readonly needs: Permission },
): boolean {
  if (!community.permissions.has(needs)) return false;
  const own = rankOf(community, reader, community.membership.role_ids);
  return own > rankOf(community, member.user.id, member.role_ids);
}
