import {
  channelSightOf,
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
import {
  type Access,
  type KnownChannel,
  type KnownCommunity,
  type StoredChannel,
} from '../structure/structure.ts';

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

/** A category. Throws ValidationError unless `id` is one that the caller sees. */
export function requireCategory(access: Access, id: Id): KnownChannel {
  const category = access.community.channelById.get(id);
  // One that is hidden is answered like one that does not exist.
  if (category?.kind === 'category' && sees(access, category)) return category;
  throw new ValidationError('category_id', 'must be the id of a category of the community');
}

/** Returns whether somebody sees a channel. */
export function sees(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  { levels }: Pick<KnownChannel, 'levels'>,
): boolean {
  return channelSightOf(viewer, community, levels).reads;
}

/** An overwrite that is asked for. Throws ValidationError for a permission that no overwrite may name. */
export function givenOverwrite({
  id,
  kind,
  allow,
  deny,
}: OverwriteChange & { readonly id: Id }): Overwrite {
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
  return overwrite;
}
