export { approveUser, disableUser, enableUser } from './change-state.ts';
export { createUser } from './create-user.ts';
export { deleteUser } from './delete-user.ts';
export {
  endAnySession,
  endSessionsOfUser,
  endEverySession,
  listAllSessions,
} from './manage-sessions.ts';
export { listUsers, showUser, type ShownUser } from './list-users.ts';
export { makeStaff } from './make-staff.ts';
export { resetUserPassword, type PasswordOfUser } from './reset-user-password.ts';
export type { ManagedSession, ManagedUser } from './store.ts';
