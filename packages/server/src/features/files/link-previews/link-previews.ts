export { findPreviews } from './find-previews.ts';
export type { AnnouncePreviews } from './preview-announcer.ts';
export { dropPreviews, requestPreviews } from './request-previews.ts';
