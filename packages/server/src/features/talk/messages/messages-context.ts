import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes } from '../../communities/structure/channel-homes.ts';
import type { KeepsCommunities } from '../../communities/structure/known-communities.ts';
import type { HasNamedPosts } from '../mentions/named-posts.ts';
import type { KeepsUsers } from '../../accounts/users/known-users.ts';

/** What it takes to describe messages: their communities, and the people and posts that they name. */
export interface MessagesContext
  extends Context, HasNamedPosts, KeepsChannelHomes, KeepsCommunities, KeepsUsers {}
