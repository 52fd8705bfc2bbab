import type { LobbyContext } from './features/lobby/lobby-context.ts';
import type { AccountContext } from './features/users/account-context.ts';

/** What the verbs of all features receive. */
export interface InstanceContext extends LobbyContext, AccountContext {}
