import type { Id, UserSummary } from '@hearth/protocol';
import type { MessageLinks } from './message-links.ts';
import type { Named } from './describe-message.ts';
import type { AttachedId, StoredMessage } from './stored-message.ts';
import type { Mentions } from '../mentions/mentions.ts';

/** A message before it has a place in its channel. */
export interface Draft {
  readonly author: UserSummary;
  readonly content: string;
  readonly nonce: string;
  readonly target: StoredMessage | undefined;
  /** Who wrote that, if they see the channel. */
  readonly repliedTo: Id | undefined;
  readonly mentions: Mentions;
  readonly files: readonly AttachedId[];
  readonly named: Named;
  readonly links: MessageLinks | undefined;
}
