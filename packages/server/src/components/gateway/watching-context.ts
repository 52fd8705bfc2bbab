import type { Context } from '../../context.ts';
import type { KeepsChannelHomes } from '../../features/structure/channel-homes.ts';
import type { KeepsCommunities } from '../../features/structure/known-communities.ts';
import type { KeepsStandings } from '../../features/structure/standings.ts';
import type { KeepsUsers } from '../../features/users/known-users.ts';

/** What it takes to know who may watch what, and to describe people. */
export interface WatchingContext
  extends Context, KeepsChannelHomes, KeepsCommunities, KeepsStandings, KeepsUsers {}
