export { accessTo } from './access-to.ts';
export { describeStorage } from './describe-storage.ts';
export { describeUpload } from './describe-upload.ts';
export { dropUpload } from './drop-upload.ts';
export { ShownMeanwhile, type HasFileUsers } from './file-users.ts';
export { findUpload, findUploads } from './find-uploads.ts';
export { holdUploads } from './hold-uploads.ts';
export { listUploads, withUploaders, type ListedUpload } from './list-uploads.ts';
export { NamedFiles, type KeepsNamedFiles, namedIds } from './named-files.ts';
export {
  beginPublicUse,
  hidePublicUse,
  isOwnPicture,
  leavePublicUse,
  showPublicUse,
} from './public-uses.ts';
export { recordPicture } from './record-picture.ts';
export { removeUpload } from './remove-upload.ts';
export type { ServedUpload } from './served-store.ts';
export type { StoredUpload } from './store.ts';
