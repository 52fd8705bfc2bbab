import { UnauthorizedError, type OwnUser, type Session } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findCaller } from '../users/find-user.ts';
import { describeSession } from './describe-session.ts';
import { selectSession } from './store.ts';

/** A user, and the session with which the user asks. Throws UnauthorizedError if either has ended. */
export async function describeSignedIn(
  ctx: Context,
  actor: User,
): Promise<{ readonly user: OwnUser; readonly session: Session }> {
  const { session_id: id } = actor;
  const [session, user] = await Promise.all([
    selectSession(ctx.database.reader, id),
    findCaller(ctx, actor),
  ]);
  if (session === undefined) throw new UnauthorizedError('token_ended');
  return { user, session: describeSession(session, id) };
}
