// The columns around what is shown. They are loaded at once for people with an account, and at the places of communities.
import '../../first-load.ts';
import '../../text/en/conflicts.ts';

export { BottomBar } from '../../communities/frame/bottom-bar.tsx';
export { CommunityPlace } from '../../communities/frame/community-place.tsx';
export { FailureNotice } from '../../communities/frame/failure-notice.tsx';
export { FeedOnDemand, UserOnDemand } from '../../communities/frame/feed-on-demand.tsx';
export { HomeView } from '../../communities/frame/home-view.tsx';
export { InboxButton } from '../../communities/inbox/inbox-button.tsx';
export { followCommunities } from '../../communities/live-communities.ts';
export { PlacesRail } from '../../communities/frame/places-rail.tsx';
export { FrameKeys } from '../frame-keys.ts';
