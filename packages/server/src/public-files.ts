import type { PublicFiles } from './features/own-account/profile-pictures.ts';
import { beginPublicUse, isOwnPicture, leavePublicUse } from './features/uploads/public-uses.ts';

/** What profiles do with uploads that they show. */
export const PUBLIC_FILES: PublicFiles = { isOwnPicture, beginPublicUse, leavePublicUse };
