import type { Id } from './ids.ts';

/** The name of the lobby's stream. */
export const LOBBY_STREAM = 'lobby';

/** The name of the stream of one user, which all devices of the user follow. Ours. */
export function userStream(id: Id): string {
  return `u:${id}`;
}

/** The name of the stream of a community: what all who see it may see. Ours. */
export function communityStream(id: Id): string {
  return `c:${id}`;
}

/** The name of the stream of a channel that not everybody in its community sees. Ours. */
export function channelStream(id: Id): string {
  return `r:${id}`;
}

/** The name of the stream of the moderators of a community. Ours. */
export function moderatorStream(id: Id): string {
  return `m:${id}`;
}
