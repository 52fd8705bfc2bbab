import { ConflictError, UnauthorizedError } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { AccountContext } from '../users/account-context.ts';
import { secretHash } from './session-token.ts';
import { replaceSecret } from './store.ts';
import { newTokenSecret } from './token-claims.ts';

/** How long the former token is accepted, in milliseconds: until the client has stored the new one. */
const OVERLAP_MS = 60_000;

/**
 * A new token for the session that asks for it. Throws UnauthorizedError if it has ended meanwhile, and ConflictError if the
 * token that asks has been replaced: of two windows that share a session, only one renews its token.
 */
export async function renewToken(
  { database, clock, tokens }: AccountContext,
  { user_id: userId, session_id: sessionId, has_former_token: isFormer }: User,
): Promise<{ readonly token: string }> {
  if (isFormer === true) {
    const error = 'has been replaced by a newer one';
    throw new ConflictError({ code: 'taken', field_name: 'token', error });
  }
  const secret = newTokenSecret();
  const token = await tokens.sign({ userId, sessionId, secret });
  const renewal = { secretHash: secretHash(secret), formerUntilMs: clock.unixMs() + OVERLAP_MS };
  await database.transaction(async (tx) => {
    if (!(await replaceSecret(tx.sql, sessionId, renewal)))
      throw new UnauthorizedError('token_ended');
    tx.changed('sessions', sessionId);
  });
  return { token };
}
