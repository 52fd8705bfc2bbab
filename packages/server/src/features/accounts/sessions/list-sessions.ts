import type { Session } from '@hearth/protocol';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { describeSession } from './describe-session.ts';
import { selectSessions } from './store.ts';

/** The sessions of a user, the one used last first. */
export async function listSessions(
  { database }: Context,
  { user_id: userId, credential }: SessionAccount,
): Promise<readonly Session[]> {
  const sessions = await selectSessions(database.reader, userId);
  return sessions.map((session) => describeSession(session, credential.id));
}
