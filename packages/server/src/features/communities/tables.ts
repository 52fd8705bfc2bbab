import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createCommunities } from './migrations/021-communities.ts';
import { indexPictures } from './migrations/026-community-pictures.ts';
import { addStructureVersions } from './migrations/056-structure-versions.ts';

/** Communities. Text that nobody has given is empty. */
export interface CommunitiesTable {
  id: string;
  slug: string;
  name: string;
  description: string;
  /** The id of an upload. */
  icon: string;
  /** The id of an upload. */
  banner: string;
  rules: string;
  kind: 'messages' | 'posts' | 'both';
  visibility: 'public' | 'unlisted' | 'private';
  join_mode: 'open' | 'request' | 'invite';
  owner_id: string;
  member_count: number;
  /** As JSON. */
  languages: string;
  /** As JSON. */
  tags: string;
  sensitive: number;
  created_at_ms: number;
  /** When somebody wrote something here, with an accuracy of some minutes. */
  active_at_ms: number;
  /** 0 unless it was deleted and can still be restored. */
  deleted_at_ms: number;
  version: number;
  /** Grows with every change of the community, its roles, its channels or their overwrites. */
  structure_version: number;
}

/** The slugs that are taken. */
export interface CommunitySlugsTable {
  slug: string;
  community_id: string;
  /** When a slug that was given up becomes free; 0 for a slug in use. */
  free_at_ms: number;
}

/** The tables of this feature. */
export interface CommunitiesTables {
  communities: CommunitiesTable;
  community_slugs: CommunitySlugsTable;
}

export const communitiesTables: FeatureTables<CommunitiesTables> = {
  tables: {
    communities: {
      columns: {
        id: 'text',
        slug: 'text',
        name: 'text',
        description: 'text',
        icon: 'text',
        banner: 'text',
        rules: 'text',
        kind: 'text',
        visibility: 'text',
        join_mode: 'text',
        owner_id: 'text',
        member_count: 'number',
        languages: 'text',
        tags: 'text',
        sensitive: 'number',
        created_at_ms: 'number',
        active_at_ms: 'number',
        deleted_at_ms: 'number',
        version: 'number',
        structure_version: 'number',
      },
      key: ['id'],
      refersTo: ['users'],
      people: {
        owner_id: {
          rows: 'kept',
          because: 'an account that owns a community cannot be deleted before it hands it over',
        },
      },
    },
    community_slugs: {
      columns: { slug: 'text', community_id: 'text', free_at_ms: 'number' },
      key: ['slug'],
      removedWith: { community: 'community_id' },
    },
  },
  migrations: {
    '021-communities': createCommunities,
    '026-community-pictures': indexPictures,
    '056-structure-versions': addStructureVersions,
  },
};
