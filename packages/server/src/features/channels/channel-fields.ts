import {
  NO_PERMISSION,
  OVERWRITABLE_PERMISSIONS,
  PERMISSIONS,
  permissionNames,
  readPermissions,
  ValidationError,
  without,
  type ChannelChange,
  type Id,
  type Overwrite,
  type OverwriteChange,
} from '@hearth/protocol';
import type { KnownCommunity } from '../communities/known-community.ts';
import type { MemberAccess } from '../communities/in-community.ts';
import { requireGrantable } from '../roles/rank.ts';
import type { StoredChannel } from './store.ts';

/** Throws ValidationError unless the community may have channels of this kind. */
export function requireKind(
  { stored }: { readonly stored: Pick<KnownCommunity['stored'], 'kind'> },
  kind: 'category' | 'messages' | 'announcements' | 'posts',
): void {
  const isPosts = kind === 'posts';
  const isWrong =
    stored.kind === 'posts'
      ? kind !== 'posts' && kind !== 'category'
      : isPosts && stored.kind === 'messages';
  if (isWrong) throw new ValidationError('kind', `must fit a community of the kind ${stored.kind}`);
}

/** Throws ValidationError for a field that a category does not have. */
export function requireFields(
  kind: StoredChannel['kind'],
  fields: Pick<ChannelChange, 'topic' | 'slow_mode_seconds'>,
): void {
  if (kind !== 'category') return;
  for (const field of ['topic', 'slow_mode_seconds'] as const) {
    // What clears a field changes nothing.
    if ((fields[field] ?? null) === null || fields[field] === 0) continue;
    throw new ValidationError(field, 'must not be given for a category');
  }
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
 * An overwrite that the caller may set in place of `before`. Throws ValidationError for a permission that no overwrite may
 * name, and ForbiddenError if it changes one that the caller does not have.
 */
export function grantableOverwrite(
  access: MemberAccess,
  { id, kind, allow, deny }: OverwriteChange & { readonly id: Id },
  before?: Overwrite,
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
  }
  requireOverwritable(access, before, overwrite);
  return overwrite;
}

/** Throws ForbiddenError if an overwrite is changed in a permission that the caller does not have. */
export function requireOverwritable(
  access: MemberAccess,
  before: Overwrite | undefined,
  after?: Overwrite,
): void {
  for (const field of ['allow', 'deny'] as const) {
    const [was, is] = [before?.[field] ?? NO_PERMISSION, after?.[field] ?? NO_PERMISSION];
    requireGrantable(access, is, was);
    requireGrantable(access, was, is);
  }
}
