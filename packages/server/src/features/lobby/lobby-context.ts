import type { Context } from '../../context.ts';
import type { MessageOrigins } from '../moderation/message-origins.ts';
import type { NamedFiles } from '../uploads/named-files.ts';
import type { MessageHistory } from './message-history.ts';

/** What the lobby's verbs receive: the context, and what the lobby keeps. */
export interface LobbyContext extends Context {
  readonly history: MessageHistory;
  /** The files that messages name. */
  readonly namedFiles: NamedFiles;
  readonly origins: MessageOrigins;
}
