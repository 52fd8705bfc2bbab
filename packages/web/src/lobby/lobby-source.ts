import type { Client } from '@hearth/sdk';
import type { ConversationSource } from '../conversation/conversation-source.ts';

/** The lobby's messages: its history, the live ones, and how to send one. */
export function lobbySource(client: Client): ConversationSource {
  return {
    get isHearth() {
      return client.isHearth;
    },
    get connection() {
      return client.connection;
    },
    on: (name, listener) => client.on(name, listener),
    open: (options) => client.open(options),
    send: (message, options) => client.send(message, options),
    listMessages: (query, options) => client.rest.listMessages(query, options),
    changeMessage: (change, options) => client.rest.changeMessage(change, options),
    deleteMessage: (id, options) => client.rest.deleteMessage(id, options),
    addReaction: (reaction, options) => client.rest.addReaction(reaction, options),
    removeReaction: (reaction, options) => client.rest.removeReaction(reaction, options),
    listReacted: (query, options) => client.rest.listReacted(query, options),
  };
}
