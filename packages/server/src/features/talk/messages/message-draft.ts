import type { UserSummary } from '@hearth/protocol';
import type { Draft, InTurn } from '../writing/writing.ts';
import type { MessageLinks } from './message-links.ts';
import type { Named } from './describe-message.ts';
import type { StoredMessage } from './stored-message.ts';

/** A message before it has its turn. */
export interface MessageDraft extends Draft {
  readonly target: StoredMessage | undefined;
  readonly named: Named;
  readonly links: MessageLinks | undefined;
}

/** A message in its turn. */
export type PlacedMessage = InTurn<MessageDraft> & { readonly message: StoredMessage };

/** A message that names nothing, as most do. */
export function plainDraft(author: UserSummary, content: string, nonce: string): MessageDraft {
  return {
    ...NAMING_NOTHING,
    author,
    content,
    nonce,
    named: { users: new Map([[author.id, author]]) },
  };
}

const NAMING_NOTHING = {
  target: undefined,
  repliedTo: undefined,
  mentions: {},
  files: [],
  links: undefined,
} as const;

/** A message in its place. */
export function placedOf(entry: InTurn<MessageDraft>): PlacedMessage {
  const { id, turning, draft, writtenAtMs: createdAtMs } = entry;
  const message: StoredMessage = {
    channelId: turning.access.place.id,
    id,
    userId: draft.author.id,
    content: draft.content,
    createdAtMs,
    editedAtMs: 0,
    replyTo: draft.target?.id ?? '',
    mentions: draft.mentions,
    files: draft.files,
    reactions: [],
    isPinned: false,
    postId: '',
    isCard: false,
    version: 1,
  };
  return { ...entry, message };
}
