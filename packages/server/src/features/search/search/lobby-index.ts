export const LOBBY_INDEX = 'lobby';
