import type { Context } from '../../context.ts';
import type { KeepsOrigins } from '../moderation/message-origins.ts';
import type { KeepsNamedFiles } from '../uploads/named-files.ts';
import type { KeepsUsers } from '../users/known-users.ts';
import type { KeepsReservedNames } from '../users/reserved-names.ts';
import type { KeepsHistory } from './message-history.ts';

/** What the lobby's verbs receive: the context, and what the lobby keeps. */
export interface LobbyContext
  extends Context, KeepsHistory, KeepsNamedFiles, KeepsOrigins, KeepsReservedNames, KeepsUsers {}
