import type { Context } from '../../context.ts';
import type { KeepsCommunities } from '../structure/known-communities.ts';
import type { HasNamedPosts } from '../mentions/named-posts.ts';
import type { KeepsUsers } from '../users/known-users.ts';

/** What it takes to describe posts: their communities, and the people and posts that they name. */
export interface PostsContext extends Context, HasNamedPosts, KeepsCommunities, KeepsUsers {}
