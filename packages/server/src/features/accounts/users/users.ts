export { addAccount } from './add-account.ts';
export { ALL_PERMISSIONS } from './all-permissions.ts';
export { announceOwnUser } from './announce-own-user.ts';
export { announcePerson, type HasPersonAnnouncers } from './announce-person.ts';
export { checkPassword } from './check-password.ts';
export { clearPictures } from './clear-pictures.ts';
export { deletedUser } from './deleted-user.ts';
export { describeOwnUser } from './describe-user.ts';
export { emailTaken } from './email-taken.ts';
export { emptyAccount, eraseContent } from './empty-account.ts';
export {
  findAccount,
  holdAnyAccount,
  lockAccount,
  lockAnyAccount,
  readAccount,
} from './find-account.ts';
export { findIdsOfNames } from './find-ids-of-names.ts';
export type { HasProfileParts, ProfilePart } from './find-profile.ts';
export { findCaller, findUser, findUserByName } from './find-user.ts';
export { findUsernames } from './find-usernames.ts';
export {
  findActiveUser,
  holdActiveUser,
  holdActiveUsers,
  holdUser,
  isActiveUser,
  type UserNames,
} from './hold-active-user.ts';
export { KnownUsers, type KeepsUsers } from './known-users.ts';
export { NO_PERMISSIONS } from './no-permissions.ts';
export { Passwords, type KeepsPasswords, type PasswordsOptions } from './passwords.ts';
export { findOwnAccount, lockProved, requireOwnPassword } from './require-own-password.ts';
export { requireReader } from './require-reader.ts';
export { requireStaffNow } from './require-staff-now.ts';
export { requireUncommonPassword } from './require-uncommon-password.ts';
export { ReservedNames, type KeepsReservedNames } from './reserved-names.ts';
export { inForce, type FactorSettings } from './staff-factor.ts';
export {
  updateEmail,
  updatePassword,
  updatePendingEmail,
  updatePicture,
  updateProfile,
  updateStaffPermissions,
  updateState,
  updateTotpSince,
  type StoredUser,
} from './store.ts';
export type { UsersTable } from './tables.ts';
