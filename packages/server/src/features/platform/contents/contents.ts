export { ContentWriter, type SealedContent } from './content-writer.ts';
export { safeFileName } from './file-name.ts';
export { inspectContent } from './inspect-content.ts';
export { readPicture } from './picture-source.ts';
export {
  Placeholders,
  type PlaceholdersContext,
  isPicture,
  placeholderOf,
} from './placeholders.ts';
export { recordContent } from './record-content.ts';
export {
  areRecordsLost,
  recoverContents,
  releasing,
  removeReference,
  type Release,
} from './release-content.ts';
export { requireRoom } from './require-room.ts';
export { lockContent, selectStoredBytes } from './store.ts';
export {
  replaceVariant,
  selectVariant,
  type VariantContent,
  type VariantKey,
} from './variant-store.ts';
