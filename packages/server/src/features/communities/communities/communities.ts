export { CommunityActivity, type KeepsActivity } from './community-activity.ts';
export { removeCommunity } from './deleted-communities.ts';
export { findCommunityBySlug } from './find-community.ts';
export { listCommunities } from './list-communities.ts';
