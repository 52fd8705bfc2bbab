import {
  replyTo,
  type Client,
  type Gap,
  type Id,
  type LobbyMessage,
  type NewMessage,
  type ReactionChange,
  type ReactionTo,
  type ReceivedMessage,
  type SendOptions,
} from '@hearth/sdk';
import type { ChannelPlace } from './find-channel.ts';

/** A message as a conversation shows it. */
export interface ShownMessage extends ReceivedMessage {
  /** The message as the instance gave it, if that has another form. */
  readonly given?: object;
}

/** Events that a place of messages reports. */
export interface SourceEvents {
  message: ShownMessage;
  messageUpdate: ShownMessage;
  messageDelete: { readonly id: Id };
  reaction: ReactionChange;
  gap: Gap;
  /** Its messages can no longer be seen. */
  closed: unknown;
}

export interface Written {
  readonly content: string;
  /** The message that it replies to, if the content does not say so. */
  readonly replyTo?: Id | undefined;
}

/** A place of messages: the lobby, or a channel of a community. All requests throw the SDK's errors. */
export interface MessageSource {
  /** Undefined for the lobby. */
  readonly place: ChannelPlace | undefined;
  readonly hasHistory: boolean;
  /** True if the user cannot write there, because they are not a member. */
  readonly isReadOnly: boolean;
  /** Resolves when its messages come. */
  open(): Promise<void>;
  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof SourceEvents>(
    name: Name,
    listener: (event: SourceEvents[Name]) => void,
  ): () => void;
  /** Lists messages, the newest first. */
  list(query: {
    readonly before?: Id | undefined;
    readonly limit: number;
  }): Promise<readonly (LobbyMessage & ShownMessage)[]>;
  /** The user has seen a message, and all before it. */
  markRead(id: Id): void;
  /** Resolves when the instance knows that, or cannot be informed. */
  marked(): Promise<unknown>;
  /** The user writes. */
  typing(): void;
  /** Returns a message that replies to another one. */
  replyTo(to: ShownMessage, text: string): Written;
  send(message: Omit<NewMessage, 'content'> & Written, options?: SendOptions): Promise<unknown>;
  changeMessage(change: { readonly id: Id; readonly content: string }): Promise<unknown>;
  deleteMessage(id: Id): Promise<unknown>;
  addReaction(to: ReactionTo): Promise<unknown>;
  removeReaction(to: ReactionTo): Promise<unknown>;
}

/** Functions that listen to the events of a place. */
export type Subscriptions = {
  readonly [Name in keyof SourceEvents]: (
    listener: (event: SourceEvents[Name]) => void,
  ) => () => void;
};

/** The lobby of an instance. */
export function lobbySource(client: Client): MessageSource {
  const { rest } = client;
  const subscriptions: Subscriptions = {
    message: (listener) => client.on('message', listener),
    messageUpdate: (listener) => client.on('messageUpdate', listener),
    messageDelete: (listener) => client.on('messageDelete', listener),
    reaction: (listener) => client.on('reaction', listener),
    gap: (listener) => client.on('gap', listener),
    closed: () => () => {},
  };
  return {
    place: undefined,
    get hasHistory() {
      return client.isHearth;
    },
    isReadOnly: false,
    open() {
      client.watch({});
      return client.open();
    },
    on: (name, listener) => subscriptions[name](listener),
    list: (query) => rest.listMessages(query),
    markRead: () => {},
    marked: () => Promise.resolve(),
    typing: () => {},
    replyTo(to, text) {
      const url = to.id && client.messageUrl(to.id);
      return { content: replyTo(to, text, { url, messageLimit: client.info.message_limit }) };
    },
    send: ({ replyTo: _none, ...message }, options) => client.send(message, options),
    changeMessage: (change) => rest.changeMessage(change),
    deleteMessage: (id) => rest.deleteMessage(id),
    addReaction: (to) => rest.addReaction(to),
    removeReaction: (to) => rest.removeReaction(to),
  };
}
