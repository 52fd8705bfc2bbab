import {
  isEmptyMask,
  readPermissions,
  STAFF_PERMISSIONS,
  type PermissionMask,
  type StaffPermission,
} from '@hearth/protocol';
import type { InstanceSettings } from '../../../config/config.ts';
import type { UsersTable } from './tables.ts';

/** The permissions of somebody who is not staff. */
export const NO_PERMISSIONS = readPermissions(STAFF_PERMISSIONS, []);

/** The permissions of the owner's account. */
export const ALL_PERMISSIONS = readPermissions(STAFF_PERMISSIONS, Object.keys(STAFF_PERMISSIONS));

/** The instance's settings of second factors. */
export type FactorSettings = Pick<InstanceSettings, 'staffSecondFactor'>;

type Staff = Pick<UsersTable, 'staff_permissions' | 'totp_since_ms'>;

/** Returns whether somebody's staff permissions wait until they have a second factor. */
export function needsFactor(
  { staff_permissions: permissions, totp_since_ms: totpSinceMs }: Staff,
  { staffSecondFactor }: FactorSettings,
): boolean {
  return staffSecondFactor === 'required' && totpSinceMs === 0 && !isEmptyMask(permissions);
}

/** The staff permissions that somebody has now. */
export function inForce(staff: Staff, settings: FactorSettings): PermissionMask<StaffPermission> {
  return needsFactor(staff, settings) ? NO_PERMISSIONS : staff.staff_permissions;
}
