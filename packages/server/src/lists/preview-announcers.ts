import type { PreviewAnnouncers } from '../features/files/link-previews/make-preview.ts';
import { announcePostPreviews } from '../features/forum/posts/previews.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Functions that send readers previews that are ready, by the features that show them. */
export const PREVIEW_ANNOUNCERS: PreviewAnnouncers<InstanceContext> = {
  post: announcePostPreviews,
};
