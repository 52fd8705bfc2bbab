import {
  permissionNames,
  STAFF_PERMISSIONS,
  type Id,
  type OwnUser,
  type User,
  type UserSummary,
} from '@hearth/protocol';
import { inForce, needsFactor, type FactorSettings } from './staff-permissions.ts';
import type { UsersTable } from './tables.ts';

/** A person, as everyone sees them. */
export function describeUser(user: UsersTable): User {
  return user.state === 'deleted' ? deletedUser(user.id) : describeActive(user);
}

function describeActive(user: UsersTable) {
  const { id, username, display_name, bio, pronouns, created_at_ms: createdAtMs, version } = user;
  return {
    id,
    username,
    ...given({ display_name, bio, pronouns }),
    ...picturesOf(user),
    created_at: createdAtMs,
    version,
  };
}

/** A person, as other objects mention them. */
export function summarizeUser({
  id,
  username,
  display_name,
  avatar,
  state,
}: Pick<UsersTable, 'id' | 'username' | 'display_name' | 'avatar' | 'state'>): UserSummary {
  if (state === 'deleted') return deletedUser(id);
  return { id, username, ...given({ display_name }), ...(avatar !== '' && { avatar }) };
}

/** Returns how somebody is shown who has deleted their account. */
export function deletedUser(id: Id): UserSummary {
  return { id, username: 'deleted', deleted: true };
}

/** A person, as they see themselves. */
export function describeOwnUser(
  { settings }: { readonly settings: FactorSettings },
  user: UsersTable,
): OwnUser {
  const staff = permissionNames(STAFF_PERMISSIONS, inForce(user, settings));
  return {
    ...describeActive(user),
    ...given({ email: user.email, pending_email: user.pending_email }),
    email_verified: user.email_verified_at_ms > 0,
    settings: JSON.parse(user.settings),
    ...(staff.length > 0 && { staff_permissions: [...staff] }),
    factors: user.totp_since_ms > 0 ? ['totp'] : [],
    ...(needsFactor(user, settings) && { needs_factor: true }),
  };
}

// Guarantee: only ids of files are stored.
function picturesOf({ avatar, banner }: UsersTable): Pick<User, 'avatar' | 'banner'> {
  return given({ avatar, banner }) as Pick<User, 'avatar' | 'banner'>;
}

function given<Texts extends Readonly<Record<string, string>>>(texts: Texts): Partial<Texts> {
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  // Guarantee: every entry is one of `texts`.
  return Object.fromEntries(filled) as Partial<Texts>;
}
