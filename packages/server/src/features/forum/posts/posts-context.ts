import type { Context } from '../../../context.ts';
import type { KeepsCommunities } from '../../communities/structure/known-communities.ts';
import type { HasNamedPosts } from '../../talk/mentions/named-posts.ts';
import type { KeepsUsers } from '../../accounts/users/known-users.ts';

/** What it takes to describe posts: their communities, and the people and posts that they name. */
export interface PostsContext extends Context, HasNamedPosts, KeepsCommunities, KeepsUsers {}
