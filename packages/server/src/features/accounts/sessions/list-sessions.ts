import { UnauthorizedError, type Session, type Id } from '@hearth/protocol';
import { sessionSchema } from '@hearth/protocol/schemas';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { SignInPart } from '../../../gateway-host.ts';
import type { ExportPart } from '../exports/exports.ts';
import { selectSessions, selectSession } from './store.ts';
import type { SessionsTable } from './tables.ts';

/** The sessions of a user, the one used last first. */
export async function listSessions(
  { database }: Context,
  { user_id: userId, credential }: SessionAccount,
): Promise<readonly Session[]> {
  const sessions = await selectSessions(database.reader, userId);
  return sessions.map((session) => describeSession(session, credential.id));
}

/** The session with which a user asks, in READY. */
export const sessionPart: SignInPart<Context, 'session'> = {
  key: 'session',
  schema: sessionSchema,
  async read({ database }, { credential: { id } }) {
    const session = await selectSession(database.reader, id);
    if (session === undefined) throw new UnauthorizedError('token_ended');
    return describeSession(session, id);
  },
};

/** The sessions of a person that have not ended. */
export const exportSessions: ExportPart = async ({ database, clock }, userId) => {
  const sessions = await selectSessions(database.reader, userId);
  const described = sessions.map((session) => describeSession(session, undefined));
  const text = JSON.stringify(described, null, 2);
  return [{ name: 'sessions.json', modifiedAtMs: clock.unixMs(), read: async () => text }];
};

/** A session, as its user sees it from the session `current`. */
export function describeSession(session: SessionsTable, current: Id | undefined): Session {
  const { id, client_name: name, client_platform: platform, address_hint: hint } = session;
  return {
    id,
    ...(name !== '' && { client: { name, platform } }),
    created_at: session.created_at_ms,
    last_used_at: session.last_used_at_ms,
    ...(hint !== '' && { address_hint: hint }),
    ...(id === current && { current: true }),
  };
}
