import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes, KeepsCommunities } from '../../communities/structure/structure.ts';
import type { HasNamedPosts } from '../mentions/mentions.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';

/** The context that it takes to describe messages: their communities, and the people and posts that they name. */
export interface MessagesContext
  extends Context, HasNamedPosts, KeepsChannelHomes, KeepsCommunities, KeepsUsers {}
