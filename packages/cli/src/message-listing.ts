import type { LobbyMessage } from '@hearth/protocol';
import type { Listing } from './listing.ts';
import { formatTime, inLine } from './text.ts';

/** Messages, listed like a chat log. */
export const MESSAGE_LISTING: Omit<Listing<LobbyMessage>, 'whenEmpty'> = {
  fields: ({ id, author, content, created_at }) => {
    return { id, author, content, created_at };
  },
  columns: [
    ['ID', ({ id }) => id],
    ['POSTED', ({ created_at }) => formatTime(created_at)],
    ['AUTHOR', ({ author }) => inLine(author)],
    ['CONTENT', ({ content }) => inLine(content)],
  ],
};
