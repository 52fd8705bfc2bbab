import type { Id } from './ids.ts';

/** The name of the lobby's stream. */
export const LOBBY_STREAM = 'lobby';

/** The name of the stream of one user, which all devices of the user follow. Ours. */
export function userStream(id: Id): string {
  return `u:${id}`;
}
