export { ContentWriter, type SealedContent } from './content-writer.ts';
export { safeFileName } from './file-name.ts';
export {
  readPicture,
  Placeholders,
  isPicture,
  placeholderOf,
  type PlaceholdersContext,
} from './placeholders.ts';
export { recordContent, requireRoom } from './record-content.ts';
export {
  areRecordsLost,
  recoverContents,
  releasing,
  removeReference,
  type Release,
} from './release-content.ts';
export {
  lockContent,
  selectStoredBytes,
  replaceVariant,
  selectVariant,
  type VariantContent,
  type VariantKey,
} from './store.ts';
