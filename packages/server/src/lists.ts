import type { Context } from './context.ts';
import type { KeepsHistory } from './features/lobby/message-history.ts';
import type { State } from './state.ts';

/**
 * What features have done by others that they may not name, such as when a membership ends. The feature that calls the
 * entries declares their type and an interface `Has…`; each list is a file beside this one.
 */
export interface Lists {}

/** What entries of lists may take besides the lists. */
export type Unlisted = Context & KeepsHistory & State;

/** Adds the lists to the context of an instance. */
export function withLists<Ctx extends Unlisted>(ctx: Ctx): Ctx & Lists {
  return ctx;
}
