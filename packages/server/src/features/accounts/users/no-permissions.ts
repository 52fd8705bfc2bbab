import { readPermissions, STAFF_PERMISSIONS } from '@hearth/protocol';

/** Of somebody who is not staff. */
export const NO_PERMISSIONS = readPermissions(STAFF_PERMISSIONS, []);
