import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createLinkPreviews } from './migrations/001-link-previews.ts';

const tables = {
  /** Previews of addresses. */
  link_previews: table({
    columns: {
      /** The SHA-256 of the address in hexadecimal digits. */
      url_hash: column.text,
      /** As it is requested. */
      url: column.text,
      /** `none` if there is nothing to show. */
      state: column.oneOf<'waiting' | 'ready' | 'none'>(),
      /** Empty, like the others, if it has none. */
      title: column.text,
      description: column.text,
      site_name: column.text,
      /** The upload that is its picture. */
      picture_id: column.optionalId,
      /** When it was requested last; 0 if it never was. */
      fetched_at_ms: column.moment,
      /** When somebody posted it last, to a day. */
      used_at_ms: column.moment,
    },
    key: ['url_hash'],
  }),
  /** The subjects that show previews, by the features that know what they are. */
  link_preview_uses: table({
    columns: {
      kind: column.text,
      subject_id: column.id,
      channel_id: column.id,
      url_hash: column.text,
      /** Set if its readers do not have the preview yet. */
      is_waiting: column.number,
    },
    key: ['kind', 'subject_id', 'url_hash'],
    removedWith: { channel: 'channel_id' },
  }),
};

export type LinkPreviewsTable = Row<typeof tables.link_previews>;

export const linkPreviewsTables = {
  tables,
  migrations: { '001-first': createLinkPreviews },
} satisfies FeatureTables;
