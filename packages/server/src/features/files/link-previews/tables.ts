import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createLinkPreviews } from './migrations/001-link-previews.ts';

/** What is known of the addresses that are shown with a preview. */
export interface LinkPreviewsTable {
  /** The SHA-256 of the address in hexadecimal digits. */
  url_hash: string;
  /** As it is requested. */
  url: string;
  /** `none` if there is nothing to show. */
  state: 'waiting' | 'ready' | 'none';
  /** Empty, like the others, if it has none. */
  title: string;
  description: string;
  site_name: string;
  /** The upload that is its picture. */
  picture_id: Id | '';
  /** When it was requested last; 0 if it never was. */
  fetched_at_ms: number;
  /** When somebody posted it last, to a day. */
  used_at_ms: number;
}

/** What shows previews, by the features that know what it is. */
export interface LinkPreviewUsesTable {
  kind: string;
  subject_id: Id;
  channel_id: Id;
  url_hash: string;
  /** Whether its readers do not have the preview yet. */
  is_waiting: number;
}

/** The tables of this feature. */
export interface LinkPreviewsTables {
  link_previews: LinkPreviewsTable;
  link_preview_uses: LinkPreviewUsesTable;
}

export const linkPreviewsTables: FeatureTables<LinkPreviewsTables> = {
  tables: {
    link_previews: {
      columns: {
        url_hash: 'text',
        url: 'text',
        state: 'text',
        title: 'text',
        description: 'text',
        site_name: 'text',
        picture_id: 'id',
        fetched_at_ms: 'moment',
        used_at_ms: 'moment',
      },
      key: ['url_hash'],
    },
    link_preview_uses: {
      columns: {
        kind: 'text',
        subject_id: 'id',
        channel_id: 'id',
        url_hash: 'text',
        is_waiting: 'number',
      },
      key: ['kind', 'subject_id', 'url_hash'],
      removedWith: { channel: 'channel_id' },
    },
  },
  migrations: { '001-first': createLinkPreviews },
};
