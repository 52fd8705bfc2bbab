import type { Context } from '../../../context.ts';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { KeepsHistory } from './message-history.ts';

/** The context that it takes to find messages of the lobby and what they name. */
export interface LobbyReading extends Context, KeepsHistory, KeepsNamedFiles, KeepsUsers {}
