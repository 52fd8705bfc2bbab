import type { Client, ClientEvents, ReceivedMessage } from '@hearth/sdk';

/** What a source reports. */
export interface SourceEvents extends Pick<
  ClientEvents,
  'messageDelete' | 'reaction' | 'gap' | 'connection' | 'limit'
> {
  message: ReceivedMessage;
  /** A message that came earlier has changed. */
  messageUpdate: ReceivedMessage;
}

/** What is reported of messages that came earlier. */
export type ChangeEvents = Pick<SourceEvents, 'messageUpdate' | 'messageDelete' | 'reaction'>;

/** Where changes of messages are reported. */
export interface ChangesSource {
  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof ChangeEvents>(
    name: Name,
    listener: (event: ChangeEvents[Name]) => void,
  ): () => void;
}

/** Where a conversation's messages come from and go to: the lobby, or a channel. */
export interface ConversationSource extends Pick<
  Client,
  'isHearth' | 'connection' | 'open' | 'send' | 'search'
> {
  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof SourceEvents>(
    name: Name,
    listener: (event: SourceEvents[Name]) => void,
  ): () => void;
  /** A page of the history, the newest message first. */
  readonly listMessages: Client['rest']['listMessages'];
  readonly changeMessage: Client['rest']['changeMessage'];
  /** Deletes a message. */
  deleteMessage(...args: Parameters<Client['rest']['deleteMessage']>): Promise<unknown>;
  readonly addReaction: Client['rest']['addReaction'];
  readonly removeReaction: Client['rest']['removeReaction'];
  /** Who reacted. */
  readonly listReacted: Client['rest']['listReacted'];
}
