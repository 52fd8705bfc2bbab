import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Journal } from '../../../ports/journal/journal.ts';

/** A message as it was dispatched, with the nonce if it is one that is remembered. */
export type DispatchedMessage = LobbyMessage & { readonly nonce?: string };

/** The journal of the lobby's stream, as messages. */
export interface MessageJournal {
  /** The oldest messages: at most `limit`, or all. */
  read(limit?: number): Promise<readonly DispatchedMessage[]>;

  /** Removes everything up to and including this message. Harmless if repeated. */
  drop(upTo: Id): Promise<void>;
}

/** Reads a journal as messages. */
export function messageJournal(journal: Journal): MessageJournal {
  return {
    async read(limit) {
      const journaled = await journal.read(limit);
      return journaled.map(lobbyMessageOf).filter((message) => message !== undefined);
    },
    drop: (upTo) => journal.drop(upTo),
  };
}

/**
 * The message in what was appended to the lobby's stream, without its files, and with the nonce only if somebody with an
 * account sent it. Undefined if it is not a message.
 */
export function lobbyMessageOf(d: object): DispatchedMessage | undefined {
  if (!('id' in d && 'author' in d && 'content' in d && 'created_at' in d)) return undefined;
  const { id, author, content, created_at } = d;
  const isMessage =
    typeof author === 'string' && typeof content === 'string' && typeof created_at === 'number';
  if (!isMessage) return undefined;
  const message: LobbyMessage = { id: given(id), author, content, created_at };
  // Of a user, only the id is kept: everything else may change, and is read when the message is.
  if (!('user' in d)) return message;
  message.user = { id: userIdIn(d.user), username: author };
  const nonce = 'nonce' in d && typeof d.nonce === 'string' ? d.nonce : '';
  return nonce === '' ? message : { ...message, nonce };
}

// Guarantee: the bus gives everything that it appends an identifier.
function given(id: unknown): Id {
  return id as Id;
}

// Guarantee: only verbs append, and a message has the summary of a user.
function userIdIn(user: unknown): Id {
  return (user as { readonly id: Id }).id;
}
