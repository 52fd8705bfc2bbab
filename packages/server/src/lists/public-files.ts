import type { PublicFiles } from '../features/accounts/own-account/profile-pictures.ts';
import {
  beginPublicUse,
  isOwnPicture,
  leavePublicUse,
} from '../features/files/uploads/public-uses.ts';

/** Access of profiles to the uploads that they show. */
export const PUBLIC_FILES: PublicFiles = { isOwnPicture, beginPublicUse, leavePublicUse };
