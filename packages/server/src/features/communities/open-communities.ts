import type { Database } from '../../ports/database/database.ts';
import { KnownBans } from '../bans/known-bans.ts';
import { ChannelHomes } from '../channels/channel-homes.ts';
import { ShownPages } from '../comments/shown-pages.ts';
import { HiddenPlaces } from '../hidden-places/hidden-places.ts';
import { KnownMembers } from '../members/known-members.ts';
import { PostOrders } from '../post-lists/post-orders.ts';
import { PostedChannels } from '../search/posted-channels.ts';
import { ScoreNews } from '../votes/score-news.ts';
import { CommunityActivity } from './community-activity.ts';
import type { CommunityContext } from './community-context.ts';
import { KnownCommunities } from './known-communities.ts';

/** Opens what communities keep in memory while an instance runs. */
export function openCommunities(
  database: Database,
): Pick<
  CommunityContext,
  | 'communities'
  | 'members'
  | 'channelHomes'
  | 'bans'
  | 'activity'
  | 'posted'
  | 'scores'
  | 'postOrders'
  | 'shownPages'
  | 'hiddenPlaces'
> {
  return {
    communities: new KnownCommunities(database),
    members: new KnownMembers(database),
    channelHomes: new ChannelHomes(database),
    bans: new KnownBans(database),
    activity: new CommunityActivity(database),
    posted: new PostedChannels(),
    scores: new ScoreNews(),
    postOrders: new PostOrders(),
    shownPages: new ShownPages(),
    hiddenPlaces: new HiddenPlaces(database),
  };
}
