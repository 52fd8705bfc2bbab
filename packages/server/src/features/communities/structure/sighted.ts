import type { SightedCommunity } from '@hearth/protocol';
import type { StoredCommunity } from './community-store.ts';

/** A stored community, as far as it decides who may know of it. */
export function sighted({
  ownerId,
  visibility,
  deletedAtMs,
}: Pick<StoredCommunity, 'ownerId' | 'visibility' | 'deletedAtMs'>): SightedCommunity {
  return { owner_id: ownerId, visibility, is_deleted: deletedAtMs > 0 };
}
