import type { Context } from './context.ts';
import type { KeepsHistory } from './features/talk/lobby/lobby.ts';
import type { Lists } from './lists/lists.ts';
import type { State } from './state.ts';

/** The parts of an instance for all of its features. Each verb names what it takes of it. */
export interface InstanceContext extends Context, KeepsHistory, Lists, State {}
