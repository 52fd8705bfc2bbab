import { permissionNames, STAFF_PERMISSIONS, type OwnUser, type User } from '@hearth/protocol';
import type { StoredUser } from './store.ts';

/** A person, as everyone sees them. */
export function describeUser(user: StoredUser): User {
  const { id, username, createdAtMs, version } = user;
  if (user.state === 'deleted') {
    return { id, username: 'deleted', deleted: true, created_at: createdAtMs, version };
  }
  return {
    id,
    username,
    ...given({ display_name: user.displayName, bio: user.bio, pronouns: user.pronouns }),
    created_at: createdAtMs,
    version,
  };
}

/** A person, as they see themselves. */
export function describeOwnUser(user: StoredUser): OwnUser {
  const staff = permissionNames(STAFF_PERMISSIONS, user.staffPermissions);
  return {
    ...describeUser(user),
    ...given({ email: user.email }),
    email_verified: user.isEmailVerified,
    settings: JSON.parse(user.settings),
    ...(staff.length > 0 && { staff_permissions: [...staff] }),
    factors: [],
  };
}

function given<Texts extends Readonly<Record<string, string>>>(texts: Texts): Partial<Texts> {
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  // Guarantee: every entry is one of `texts`.
  return Object.fromEntries(filled) as Partial<Texts>;
}
