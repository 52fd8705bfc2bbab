import { ConflictError, UnauthorizedError, type Id } from '@hearth/protocol';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { secretHash } from './session-token.ts';
import { replaceSecret, selectSession } from './store.ts';
import { newTokenSecret } from './token-claims.ts';
import type { KeepsTokens } from './tokens.ts';

/** How long the former token is accepted, in milliseconds: until the client has stored the new one. */
const OVERLAP_MS = 60_000;

/**
 * A new token for the session that asks for it. Throws UnauthorizedError if it has ended meanwhile, and ConflictError if the
 * token that asks has been replaced: of windows that share a session, one renews its token, even if all ask at once.
 */
export async function renewToken(
  { database, clock, tokens }: Pick<Context, 'database' | 'clock'> & KeepsTokens,
  { user_id: userId, credential: { id: sessionId, token_hash: fromHash } }: SessionAccount,
): Promise<{ readonly token: string }> {
  const secret = newTokenSecret();
  const token = await tokens.sign({ userId, sessionId, secret });
  const renewal = { fromHash, secretHash: secretHash(secret) };
  await database.transaction(async (tx) => {
    const formerUntilMs = clock.unixMs() + OVERLAP_MS;
    if (!(await replaceSecret(tx.sql, sessionId, { ...renewal, formerUntilMs }))) {
      throw await refusal(tx, sessionId);
    }
    tx.changed('sessions', sessionId);
  });
  return { token };
}

async function refusal({ sql }: Transaction, sessionId: Id): Promise<Error> {
  const session = await selectSession(sql, sessionId);
  if (session === undefined) return new UnauthorizedError('token_ended');
  return new ConflictError({ code: 'taken', field_name: 'token' });
}
