export { addMember } from './add-member.ts';
export { isOfPerson, type PersonNews } from './announce-in-communities.ts';
export { describeMember } from './describe-member.ts';
export { describeOwnCommunity, findOwnCommunity } from './describe-own-community.ts';
export { endMembership, type HasMembershipEnders } from './end-membership.ts';
export { enter, enterAll, type EnteringContext, type HasMembershipBeginners } from './enter.ts';
export { OpenToJoin, type KeepsOpenToJoin } from './open-to-join.ts';
