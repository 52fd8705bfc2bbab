export { findPreviews } from './find-previews.ts';
export type { AnnouncePreviews } from './make-preview.ts';
export { dropPreviews, requestPreviews } from './request-previews.ts';
