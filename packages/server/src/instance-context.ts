import type { CommunityContext } from './features/communities/community-context.ts';
import type { LobbyContext } from './features/lobby/lobby-context.ts';

/** What the verbs of all features receive. */
export interface InstanceContext extends LobbyContext, CommunityContext {}
