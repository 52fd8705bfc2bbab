import { webPath } from '@hearth/protocol';
import {
  createConversation,
  type Conversation,
  type ConversationParts,
} from '../conversation/conversation.ts';
import { lobbySource } from './lobby-source.ts';

/** The conversation that everyone on the instance shares. */
export function createLobby(parts: ConversationParts): Conversation {
  const { client } = parts;
  return createConversation(
    {
      source: lobbySource(client),
      name: client.info.instance_name,
      // Browsers hold drafts and outboxes under this key since there was only the lobby.
      storageKey: client.info.oprish_url,
      listsNamedFiles: true,
      addressOf: (id) => webPath('lobbyMessage', { message_id: id }),
    },
    parts,
  );
}
