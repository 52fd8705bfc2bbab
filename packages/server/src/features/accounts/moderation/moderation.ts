export { banAuthor } from './ban-author.ts';
export { banClients, newBanId, listBans, unban } from './bans.ts';
export {
  listRestrictions,
  newAccessCode,
  pause,
  resume,
  setAccessCode,
  setSlowMode,
  showAccessCode,
} from './owner-restrictions.ts';
export { MessageOrigins, type KeepsOrigins } from './message-origins.ts';
export { openRestrictions } from './open-restrictions.ts';
export {
  requireAccessCode,
  requireAdmission,
  requireEntry,
  whileAdmitted,
} from './require-admission.ts';
export type { Ban, StoredRestrictions } from './store.ts';
