import type { EmittingDatabase } from '../../ports/outbox/outbox.ts';
import { KnownExclusions } from '../bans/known-exclusions.ts';
import { ChannelHomes } from '../channels/channel-homes.ts';
import { ShownPages } from '../comments/shown-pages.ts';
import { HiddenPlaces } from '../hidden-places/hidden-places.ts';
import { KnownMembers } from '../members/known-members.ts';
import { UnsentNotifications } from '../notifications/unsent-notifications.ts';
import { PostOrders } from '../post-lists/post-orders.ts';
import { CommentedPosts } from '../posts/commented-posts.ts';
import { PostedChannels } from '../search/posted-channels.ts';
import { ScoreNews } from '../votes/score-news.ts';
import { CommunityActivity } from './community-activity.ts';
import type { CommunityContext } from './community-context.ts';
import { KnownCommunities } from './known-communities.ts';
import { OpenToJoin } from './open-to-join.ts';
import { Standings } from './standings.ts';

/** Opens what communities keep in memory while an instance runs. */
export function openCommunities(
  database: EmittingDatabase,
): Pick<
  CommunityContext,
  | 'communities'
  | 'openToJoin'
  | 'members'
  | 'standings'
  | 'channelHomes'
  | 'exclusions'
  | 'activity'
  | 'posted'
  | 'unsentNotifications'
  | 'scores'
  | 'postOrders'
  | 'commentedPosts'
  | 'shownPages'
  | 'hiddenPlaces'
> {
  const communities = new KnownCommunities(database);
  return {
    communities,
    openToJoin: new OpenToJoin(database, communities),
    members: new KnownMembers(database),
    standings: new Standings(database),
    channelHomes: new ChannelHomes(database),
    exclusions: new KnownExclusions(database),
    activity: new CommunityActivity(database),
    posted: new PostedChannels(),
    unsentNotifications: new UnsentNotifications(),
    scores: new ScoreNews(),
    postOrders: new PostOrders(),
    commentedPosts: new CommentedPosts(database),
    shownPages: new ShownPages(),
    hiddenPlaces: new HiddenPlaces(database),
  };
}
