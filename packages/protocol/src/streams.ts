/** The name of the lobby's stream. */
export const LOBBY_STREAM = 'lobby';
