import type { Id } from '@hearth/protocol';
import type { LinkPreviewsTable } from './tables.ts';

/** A part of the instance that shows previews. */
export type PreviewKind = 'post';

/** What shows a preview. */
export interface PreviewSubject {
  readonly kind: PreviewKind;
  readonly id: Id;
  readonly channelId: Id;
}

/** What there is to see of an address. */
export type PreviewContent = Pick<
  LinkPreviewsTable,
  'state' | 'title' | 'description' | 'site_name'
>;

export const NO_PREVIEW: PreviewContent = {
  state: 'none',
  title: '',
  description: '',
  site_name: '',
};
