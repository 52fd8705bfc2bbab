export type { CommunityPatch as CommunityChange } from '@hearth/sdk';
export type {
  Ban,
  BanInput,
  CommunityInvite,
  Invitation,
  JoinRequest,
  NewCommunityInvite,
} from '@hearth/protocol';
