import type { Context } from '../../context.ts';
import type { KeepsCommunities } from '../structure/known-communities.ts';
import type { KeepsUsers } from '../users/known-users.ts';

/** What it takes to describe posts: their communities and the people that they name. */
export interface PostsContext extends Context, KeepsCommunities, KeepsUsers {}
