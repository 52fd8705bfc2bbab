// The columns around what is shown. They are loaded at once for people with an account, and at the places of communities.
import '../first-load.ts';
import '../text/en/conflicts.ts';

export { BottomBar } from './frame/bottom-bar.tsx';
export { CommunityPlace } from './frame/community-place.tsx';
export { FailureNotice } from './frame/failure-notice.tsx';
export { FeedOnDemand, UserOnDemand } from './frame/feed-on-demand.tsx';
export { HomeView } from './frame/home-view.tsx';
export { InboxButton } from './inbox/inbox-button.tsx';
export { followCommunities } from './live-communities.ts';
export { PlacesRail } from './frame/places-rail.tsx';
export { nextUnread } from './next-unread.ts';
