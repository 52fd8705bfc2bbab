export {
  blockRegistration,
  parseBlockable,
  listRegistrationBlocks,
  unblockRegistration,
} from './blocks.ts';
export { createInvite, newInviteCode, listInvites, ownerInvite, revokeInvite } from './invites.ts';
export type { HasJoiningInvites, JoiningInvite, UsedJoiningInvite } from './joining-invites.ts';
export { deleteOwnerInvite, deleteRequest, selectAnswer, selectUsableInvite } from './store.ts';
export type { Invite, RegistrationBlock } from './store.ts';
