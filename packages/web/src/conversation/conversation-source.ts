import type { Client, ClientEvents, ReceivedMessage } from '@hearth/sdk';

/** Events that a source reports. */
export interface SourceEvents extends Pick<
  ClientEvents,
  'messageDelete' | 'reaction' | 'gap' | 'connection' | 'limit'
> {
  message: ReceivedMessage;
  /** A message that came earlier has changed. */
  messageUpdate: ReceivedMessage;
}

/** Events about messages that came earlier. */
export type ChangeEvents = Pick<SourceEvents, 'messageUpdate' | 'messageDelete' | 'reaction'>;

/** The source of changes of messages. */
export interface ChangesSource {
  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof ChangeEvents>(
    name: Name,
    listener: (event: ChangeEvents[Name]) => void,
  ): () => void;
}

/** The place where a conversation's messages come from and go to: the lobby, or a channel. */
export interface ConversationSource extends Pick<
  Client,
  'isHearth' | 'connection' | 'open' | 'send'
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
  /** Lists who reacted. */
  readonly listReacted: Client['rest']['listReacted'];
}
