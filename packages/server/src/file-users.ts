import { withoutPicture } from './features/communities/communities/community-pictures.ts';
import type { WithoutFile } from './features/files/uploads/file-users.ts';

/** How an upload is taken out of what shows it when it is removed, by the features that show uploads. */
export const FILE_USERS: readonly WithoutFile[] = [withoutPicture];
