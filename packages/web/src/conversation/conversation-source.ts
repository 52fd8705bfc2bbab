import type { Client } from '@hearth/sdk';

/** Where a conversation's messages come from and go to. The lobby is one source. */
export interface ConversationSource extends Pick<
  Client,
  'isHearth' | 'connection' | 'on' | 'open' | 'send' | 'search'
> {
  /** A page of the history, the newest message first. */
  readonly listMessages: Client['rest']['listMessages'];
  readonly changeMessage: Client['rest']['changeMessage'];
  readonly deleteMessage: Client['rest']['deleteMessage'];
  readonly addReaction: Client['rest']['addReaction'];
  readonly removeReaction: Client['rest']['removeReaction'];
  /** Who reacted. */
  readonly listReacted: Client['rest']['listReacted'];
}
