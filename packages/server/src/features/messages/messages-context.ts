import type { Context } from '../../context.ts';
import type { KeepsChannelHomes } from '../structure/channel-homes.ts';
import type { KeepsCommunities } from '../structure/known-communities.ts';
import type { HasNamedPosts } from '../mentions/named-posts.ts';
import type { KeepsUsers } from '../users/known-users.ts';

/** What it takes to describe messages: their communities, and the people and posts that they name. */
export interface MessagesContext
  extends Context, HasNamedPosts, KeepsChannelHomes, KeepsCommunities, KeepsUsers {}
