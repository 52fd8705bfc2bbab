import {
  OVERWRITABLE_PERMISSIONS,
  PERMISSIONS,
  permissionNames,
  readPermissions,
  ValidationError,
  without,
  type Id,
  type Overwrite,
  type OverwriteChange,
} from '@hearth/protocol';
import type { KnownCommunity } from '../communities/known-communities.ts';
import type { MemberAccess } from '../communities/in-community.ts';
import { requireGrantable } from '../roles/rank.ts';

/** Throws ValidationError unless the community may have channels of this kind. */
export function requireKind(
  { stored }: Pick<KnownCommunity, 'stored'>,
  kind: 'category' | 'messages' | 'announcements' | 'posts',
): void {
  const isPosts = kind === 'posts';
  const isWrong =
    stored.kind === 'posts'
      ? kind !== 'posts' && kind !== 'category'
      : isPosts && stored.kind === 'messages';
  if (isWrong) throw new ValidationError('kind', `must fit a community of the kind ${stored.kind}`);
}

/** Throws ValidationError unless `id` is a category of the community. */
export function requireCategory(
  { channelById }: Pick<KnownCommunity, 'channelById'>,
  id: Id,
): void {
  if (channelById.get(id)?.kind === 'category') return;
  throw new ValidationError('category_id', 'must be the id of a category of the community');
}

/**
 * An overwrite that the caller may set. Throws ValidationError for a permission that no overwrite may name, and
 * ForbiddenError for one that the caller does not have.
 */
export function grantableOverwrite(
  access: MemberAccess,
  id: Id,
  { kind, allow, deny }: OverwriteChange,
): Overwrite {
  const overwrite = {
    id,
    kind,
    allow: readPermissions(PERMISSIONS, allow),
    deny: readPermissions(PERMISSIONS, deny),
  };
  for (const field of ['allow', 'deny'] as const) {
    const refused = permissionNames(
      PERMISSIONS,
      without(overwrite[field], OVERWRITABLE_PERMISSIONS),
    );
    if (refused.length > 0) {
      throw new ValidationError(field, `must not name ${refused.join(', ')}`);
    }
    requireGrantable(access, overwrite[field]);
  }
  return overwrite;
}
