/** The index of the lobby's messages. */
export const LOBBY_INDEX = 'lobby';
