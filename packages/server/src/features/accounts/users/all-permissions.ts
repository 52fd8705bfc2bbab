import { readPermissions, STAFF_PERMISSIONS } from '@hearth/protocol';

/** Of the owner's account. */
export const ALL_PERMISSIONS = readPermissions(STAFF_PERMISSIONS, Object.keys(STAFF_PERMISSIONS));
