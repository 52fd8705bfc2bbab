import type { Id } from '@hearth/protocol';

/** A part of the instance that shows previews. */
export type PreviewKind = 'post';

/** What shows a preview. */
export interface PreviewSubject {
  readonly kind: PreviewKind;
  readonly id: Id;
  readonly channelId: Id;
}

/** What there is to see of an address. */
export interface PreviewContent {
  readonly state: 'ready' | 'none';
  /** Empty, like the others, if it has none. */
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
}

export interface StoredPreview extends Omit<PreviewContent, 'state'> {
  readonly urlHash: string;
  readonly url: string;
  readonly state: 'waiting' | 'ready' | 'none';
  readonly pictureId: Id | undefined;
  readonly fetchedAtMs: number;
}

export const NO_PREVIEW: PreviewContent = {
  state: 'none',
  title: '',
  description: '',
  siteName: '',
};
