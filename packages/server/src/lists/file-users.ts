import { withoutPicture } from '../features/communities/communities/community-pictures.ts';
import type { WithoutFile } from '../features/files/uploads/file-users.ts';

/** Functions that remove an upload together with what shows it. */
export const FILE_USERS: readonly WithoutFile[] = [withoutPicture];
