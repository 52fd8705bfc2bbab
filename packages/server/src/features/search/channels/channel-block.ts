/** Messages in a block of a channel's index. Blocks grow as messages are posted. */
export const CHANNEL_BLOCK = 512;
