import { isEmptyMask, type PermissionMask, type StaffPermission } from '@hearth/protocol';
import type { InstanceSettings } from '../../../config/config.ts';
import { NO_PERMISSIONS } from './no-permissions.ts';

/** What the instance says of second factors. */
export type FactorSettings = Pick<InstanceSettings, 'staffSecondFactor'>;

interface Staff {
  readonly staffPermissions: PermissionMask<StaffPermission>;
  readonly hasTotp: boolean;
}

/** Whether somebody's staff permissions wait until they have a second factor. */
export function needsFactor(
  { staffPermissions, hasTotp }: Staff,
  { staffSecondFactor }: FactorSettings,
): boolean {
  return staffSecondFactor === 'required' && !hasTotp && !isEmptyMask(staffPermissions);
}

/** The staff permissions that somebody has now. */
export function inForce(staff: Staff, settings: FactorSettings): PermissionMask<StaffPermission> {
  return needsFactor(staff, settings) ? NO_PERMISSIONS : staff.staffPermissions;
}
