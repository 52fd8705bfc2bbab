import type { Id } from '@hearth/protocol';
import { DAY_MS } from '../../../lib/clock.ts';
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

/** How old a preview is when it is made again if somebody posts its address, in milliseconds. */
export const REFRESHED_AFTER_MS = DAY_MS;

/** How long a preview is kept that nothing shows, in milliseconds. */
export const KEPT_UNUSED_MS = 7 * DAY_MS;
