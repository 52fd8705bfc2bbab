import type { KnownBans } from '../bans/known-bans.ts';
import type { ChannelHomes } from '../channels/channel-homes.ts';
import type { ShownPages } from '../comments/shown-pages.ts';
import type { HiddenPlaces } from '../hidden-places/hidden-places.ts';
import type { KnownMembers } from '../members/known-members.ts';
import type { PostOrders } from '../post-lists/post-orders.ts';
import type { PostedChannels } from '../search/posted-channels.ts';
import type { ScoreNews } from '../votes/score-news.ts';
import type { AccountContext } from '../users/account-context.ts';
import type { KnownUsers } from '../users/known-users.ts';
import type { CommunityActivity } from './community-activity.ts';
import type { KnownCommunities } from './known-communities.ts';

/** What verbs about communities receive. */
export interface CommunityContext extends AccountContext {
  readonly communities: KnownCommunities;
  readonly members: KnownMembers;
  readonly channelHomes: ChannelHomes;
  readonly bans: KnownBans;
  readonly users: KnownUsers;
  readonly activity: CommunityActivity;
  readonly posted: PostedChannels;
  readonly scores: Pick<ScoreNews, 'note'>;
  readonly postOrders: PostOrders;
  readonly shownPages: ShownPages;
  readonly hiddenPlaces: HiddenPlaces;
}
