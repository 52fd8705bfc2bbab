import type { Community, Id } from '@hearth/protocol';
import type { StoredCommunity } from './community-store.ts';

/** A community, as everyone sees it who may see it. */
export function describeCommunity(stored: StoredCommunity): Community {
  const { id, slug, name, kind, visibility, join, version } = stored;
  return {
    id,
    slug,
    name,
    ...(stored.description !== '' && { description: stored.description }),
    // Nobody is served those of a deleted one.
    ...(stored.deletedAtMs === 0 && {
      ...picture('icon', stored.icon),
      ...picture('banner', stored.banner),
    }),
    ...(stored.rules !== '' && { rules: stored.rules }),
    kind,
    visibility,
    join,
    owner_id: stored.ownerId,
    member_count: stored.memberCount,
    ...(stored.languages.length > 0 && { languages: [...stored.languages] }),
    ...(stored.tags.length > 0 && { tags: [...stored.tags] }),
    ...(stored.isSensitive && { sensitive: true as const }),
    created_at: stored.createdAtMs,
    ...(stored.deletedAtMs > 0 && { deleted_at: stored.deletedAtMs }),
    version,
  };
}

function picture<Use extends 'icon' | 'banner'>(use: Use, id: Id | ''): { [Key in Use]?: Id } {
  // Guarantee: the only key is `use`.
  return (id === '' ? {} : { [use]: id }) as { [Key in Use]?: Id };
}
