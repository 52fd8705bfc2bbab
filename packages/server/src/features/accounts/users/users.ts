export { addAccount, emailTaken } from './add-account.ts';
export { announceOwnUser } from './announce-own-user.ts';
export { announcePerson, type HasPersonAnnouncers } from './announce-person.ts';
export { checkPassword, findOwnAccount, lockProved, requireOwnPassword } from './check-password.ts';
export { clearPictures } from './clear-pictures.ts';
export { deletedUser, describeOwnUser } from './describe-user.ts';
export { emptyAccount } from './empty-account.ts';
export { findAccount, lockAccount } from './find-account.ts';
export { findIdsOfNames, findUsernames } from './find-names.ts';
export type { HasProfileParts, ProfilePart } from './find-profile.ts';
export { findCaller, findUser, findUserByName } from './find-user.ts';
export {
  findActiveUser,
  holdActiveUser,
  holdActiveUsers,
  holdUser,
  isActiveUser,
  type UserNames,
} from './hold-active-user.ts';
export { KnownUsers, type KeepsUsers } from './known-users.ts';
export { Passwords, type KeepsPasswords, type PasswordsOptions } from './passwords.ts';
export { requireReader } from './require-reader.ts';
export { requireStaffNow } from './require-staff-now.ts';
export { requireUncommonPassword } from './require-uncommon-password.ts';
export { ReservedNames, type KeepsReservedNames } from './reserved-names.ts';
export {
  ALL_PERMISSIONS,
  NO_PERMISSIONS,
  inForce,
  type FactorSettings,
} from './staff-permissions.ts';
export {
  holdAccount,
  lockUser,
  noteErasure,
  selectUser,
  updateEmail,
  updatePassword,
  updatePicture,
  updateUser,
} from './store.ts';
export type { UsersTable } from './tables.ts';
