import type { PreviewAnnouncers } from './features/link-previews/preview-announcer.ts';

/** How readers get previews that are ready, by the features that show them. */
export const PREVIEW_ANNOUNCERS: PreviewAnnouncers = {};
