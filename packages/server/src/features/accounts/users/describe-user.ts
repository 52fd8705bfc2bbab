import {
  permissionNames,
  STAFF_PERMISSIONS,
  type Id,
  type OwnUser,
  type User,
  type UserSummary,
} from '@hearth/protocol';
import { inForce, needsFactor, type FactorSettings } from './staff-factor.ts';
import type { StoredUser } from './store.ts';
import { deletedUser } from './deleted-user.ts';

/** A person, as everyone sees them. */
export function describeUser(user: StoredUser): User {
  return user.state === 'deleted' ? deletedUser(user.id) : describeActive(user);
}

function describeActive(user: StoredUser) {
  const { id, username, createdAtMs, version } = user;
  return {
    id,
    username,
    ...given({ display_name: user.displayName, bio: user.bio, pronouns: user.pronouns }),
    ...picturesOf(user),
    created_at: createdAtMs,
    version,
  };
}

/** A person, as other objects mention them. */
export function summarizeUser({
  id,
  username,
  displayName,
  avatar,
  state,
}: Pick<StoredUser, 'id' | 'username' | 'displayName' | 'avatar' | 'state'>): UserSummary {
  if (state === 'deleted') return deletedUser(id);
  return {
    id,
    username,
    ...(displayName !== '' && { display_name: displayName }),
    // Guarantee: only ids of files are stored.
    ...(avatar !== '' && { avatar: avatar as Id }),
  };
}

/** A person, as they see themselves. */
export function describeOwnUser(
  { settings }: { readonly settings: FactorSettings },
  user: StoredUser,
): OwnUser {
  const staff = permissionNames(STAFF_PERMISSIONS, inForce(user, settings));
  return {
    ...describeActive(user),
    ...given({ email: user.email }),
    email_verified: user.isEmailVerified,
    ...given({ pending_email: user.pendingEmail }),
    settings: JSON.parse(user.settings),
    ...(staff.length > 0 && { staff_permissions: [...staff] }),
    factors: user.hasTotp ? ['totp'] : [],
    ...(needsFactor(user, settings) && { needs_factor: true }),
  };
}

// Guarantee: only ids of files are stored.
function picturesOf({ avatar, banner }: StoredUser): Pick<User, 'avatar' | 'banner'> {
  return given({ avatar, banner }) as Pick<User, 'avatar' | 'banner'>;
}

function given<Texts extends Readonly<Record<string, string>>>(texts: Texts): Partial<Texts> {
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  // Guarantee: every entry is one of `texts`.
  return Object.fromEntries(filled) as Partial<Texts>;
}
