export {
  accessIn,
  accessOf,
  accessTo,
  accessToChannel,
  accessToPlace,
  currentAccessToChannel,
  permissionsIn,
  requireDiscussing,
  requireIn,
  requireNoTimeOut,
  type Access,
  type AccessContext,
  type ChannelAccess,
} from './access.ts';
export { audienceOf, type Audience } from './audience.ts';
export { deleteBan, deleteExpired, selectBan, selectBans, upsertBan } from './ban-store.ts';
export { ChannelHomes, type KeepsChannelHomes } from './channel-homes.ts';
export {
  deleteChannelRow,
  deleteOverwrite,
  insertChannel,
  markChannelDeleted,
  moveChannels,
  selectChannelIds,
  selectDeletedChannels,
  selectHomes,
  selectLastIds,
  updateChannel,
  upsertOverwrite,
  type ChannelPlace,
  type StoredChannel,
} from './channel-store.ts';
export {
  holdWriting,
  stopWriting,
  areKnownRules,
  holdAllRules,
  holdRules,
  waitForRules,
} from './hold-rules.ts';
export {
  deleteCommunityRow,
  insertCommunity,
  lockCommunityRow,
  lockRemoved,
  markCommunityDeleted,
  raiseStructure,
  selectCommunities,
  selectDeleted,
  selectIdsWithPicture,
  selectMemberCounts,
  selectOwned,
  updateActivity,
  updateCommunity,
  updateOwner,
  type CommunityFields,
  type StoredCommunity,
} from './community-store.ts';
export { describeChannel, describeOverwrite, describeStub } from './describe-channel.ts';
export { describeCommunity } from './describe-community.ts';
export { describeRole } from './describe-role.ts';
export { emitInChannels } from './emit-in-channels.ts';
export { readExclusion, bansOf, isBanned, requireNoBan } from './exclusion.ts';
export {
  accessesNow,
  holdAccesses,
  type Acting,
  type HeldAccess,
  type HeldAccesses,
} from './hold-accesses.ts';
export { ANY_POST, hiddenWith } from './hidden-names.ts';
export {
  announceChanges,
  inCommunity,
  restructure,
  type Changing,
  type MemberAccess,
  type Recorded,
} from './in-community.ts';
export {
  KnownCommunities,
  channelIn,
  readCommunities,
  readCommunity,
  type KeepsCommunities,
} from './known-communities.ts';
export type { KnownChannel, KnownCommunity } from './known-community.ts';
export { KnownExclusions, type KeepsExclusions } from './known-exclusions.ts';
export { KnownMembers, memberKey, type KeepsMembers } from './known-members.ts';
export {
  countMember,
  keepCommunity,
  lockCommunities,
  lockCommunity,
  lockEvenDeleted,
  readStored,
} from './lock-community.ts';
export {
  hasVersion,
  selectMembersAfter,
  selectMembersWith,
  deleteMember,
  lockNicknames,
  replaceRoles,
  selectCommunitiesOf,
  selectMember,
  selectMembers,
  selectMemberships,
  sweptRole,
  updateMember,
  type StoredMember,
} from './member-store.ts';
export { isModerator } from './moderating.ts';
export {
  countMembershipsOf,
  deleteTimeOuts,
  insertMembers,
  insertRoles,
  type MemberPair,
} from './new-members-store.ts';
export { NOWHERE, whereIs, whereWas, type PlaceIds } from './place-now.ts';
export { sighted } from './sighted.ts';
export { readMemberships, requireStillMember } from './read-member.ts';
export {
  deleteRole,
  insertRole,
  markRoleDeleted,
  updatePositions,
  updateRole,
  type RoleFields,
  type StoredRole,
} from './role-store.ts';
export { showsCards } from './shows-cards.ts';
export { countFormerSlugs, giveUpSlug, selectIdOfSlug, takeSlug } from './slug-store.ts';
export type { NamedPlace } from './standing-store.ts';
export { Standings, type KeepsStandings } from './standings.ts';
export type { CommunityBansTable } from './tables.ts';
export { deletePastTimeOuts } from './time-outs-store.ts';
