import type { KnownExclusions } from '../bans/known-exclusions.ts';
import type { ChannelHomes } from '../channels/channel-homes.ts';
import type { ShownPages } from '../comments/shown-pages.ts';
import type { HiddenPlaces } from '../hidden-places/hidden-places.ts';
import type { KnownMembers } from '../members/known-members.ts';
import type { UnsentNotifications } from '../notifications/unsent-notifications.ts';
import type { CommentedPosts } from '../posts/commented-posts.ts';
import type { PostOrders } from '../post-lists/post-orders.ts';
import type { PostedChannels } from '../search/posted-channels.ts';
import type { ScoreNews } from '../votes/score-news.ts';
import type { AccountContext } from '../users/account-context.ts';
import type { KnownUsers } from '../users/known-users.ts';
import type { CommunityActivity } from './community-activity.ts';
import type { KnownCommunities } from './known-communities.ts';
import type { OpenToJoin } from './open-to-join.ts';
import type { Standings } from './standings.ts';

/** What verbs about communities receive. */
export interface CommunityContext extends AccountContext {
  readonly communities: KnownCommunities;
  readonly openToJoin: OpenToJoin;
  readonly members: KnownMembers;
  readonly standings: Standings;
  readonly channelHomes: ChannelHomes;
  readonly exclusions: KnownExclusions;
  readonly users: KnownUsers;
  readonly activity: CommunityActivity;
  readonly posted: PostedChannels;
  readonly unsentNotifications: UnsentNotifications;
  readonly scores: Pick<ScoreNews, 'note'>;
  readonly postOrders: PostOrders;
  readonly commentedPosts: CommentedPosts;
  readonly shownPages: ShownPages;
  readonly hiddenPlaces: HiddenPlaces;
}
