import type { Id } from '@hearth/protocol';
import { DAY_MS } from '../../../lib/clock.ts';
import type { LinkPreviewsTable } from './tables.ts';

/** A part of the instance that shows previews. */
export type PreviewKind = 'post';

/** A subject that shows a preview, such as a post. */
export interface PreviewSubject {
  readonly kind: PreviewKind;
  readonly id: Id;
  readonly channelId: Id;
}

/** The things to see of an address. */
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

/** The age in milliseconds at which a preview is made again if somebody posts its address. */
export const REFRESHED_AFTER_MS = DAY_MS;

/** The time in milliseconds for which a preview is kept that nothing shows. */
export const KEPT_UNUSED_MS = 7 * DAY_MS;
