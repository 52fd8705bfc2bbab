import type { Context } from '../../context.ts';
import type { MessageOrigins } from '../moderation/message-origins.ts';
import type { NamedFiles } from '../uploads/named-files.ts';
import type { KnownUsers } from '../users/known-users.ts';
import type { ReservedNames } from '../users/reserved-names.ts';
import type { MessageHistory } from './message-history.ts';

/** What the lobby's verbs receive: the context, and what the lobby keeps. */
export interface LobbyContext extends Context {
  readonly history: MessageHistory;
  /** The files that messages name. */
  readonly namedFiles: NamedFiles;
  readonly origins: MessageOrigins;
  readonly users: KnownUsers;
  /** The names that guests may not use. */
  readonly names: ReservedNames;
}
