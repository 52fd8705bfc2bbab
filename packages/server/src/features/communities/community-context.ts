import type { KeepsExclusions } from '../bans/known-exclusions.ts';
import type { KeepsChannelHomes } from '../channels/channel-homes.ts';
import type { KeepsShownPages } from '../comments/shown-pages.ts';
import type { KeepsActivity } from './community-activity.ts';
import type { KeepsCommunities } from './known-communities.ts';
import type { KeepsOpenToJoin } from './open-to-join.ts';
import type { KeepsStandings } from './standings.ts';
import type { KeepsHiddenPlaces } from '../hidden-places/hidden-places.ts';
import type { KeepsMembers } from '../members/known-members.ts';
import type { KeepsUnsentNotifications } from '../notifications/unsent-notifications.ts';
import type { KeepsPostOrders } from '../post-lists/post-orders.ts';
import type { KeepsCommentedPosts } from '../posts/commented-posts.ts';
import type { KeepsPosted } from '../search/posted-channels.ts';
import type { KeepsUsers } from '../users/known-users.ts';
import type { KeepsScores } from '../votes/score-news.ts';
import type { AccountContext } from '../users/account-context.ts';

/** What verbs about communities receive. */
export interface CommunityContext
  extends
    AccountContext,
    KeepsActivity,
    KeepsChannelHomes,
    KeepsCommentedPosts,
    KeepsCommunities,
    KeepsExclusions,
    KeepsHiddenPlaces,
    KeepsMembers,
    KeepsOpenToJoin,
    KeepsPostOrders,
    KeepsPosted,
    KeepsScores,
    KeepsShownPages,
    KeepsStandings,
    KeepsUnsentNotifications,
    KeepsUsers {}
