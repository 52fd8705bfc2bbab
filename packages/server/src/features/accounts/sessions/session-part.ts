import { UnauthorizedError } from '@hearth/protocol';
import { sessionSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { SignInPart } from '../../../gateway-host.ts';
import { describeSession } from './describe-session.ts';
import { selectSession } from './store.ts';

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
