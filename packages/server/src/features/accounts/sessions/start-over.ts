import { UnauthorizedError, type Session } from '@hearth/protocol';
import type { SessionAccount } from '../../../actor.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { describeSession } from './describe-session.ts';
import { endAllSessions } from './end-sessions.ts';
import { secretHash } from './session-token.ts';
import { replaceSecret, selectSession } from './store.ts';
import { newTokenSecret } from './token-claims.ts';
import type { KeepsTokens } from './tokens.ts';

/** A token that is about to replace the one of a session. */
export interface PreparedToken {
  readonly token: string;
  readonly hash: string;
}

/** Prepares a token for the session of the person who acts, before the transaction that replaces the former one. */
export async function prepareToken(
  { tokens }: KeepsTokens,
  { user_id: userId, credential: { id: sessionId } }: SessionAccount,
): Promise<PreparedToken> {
  const secret = newTokenSecret();
  return { token: await tokens.sign({ userId, sessionId, secret }), hash: secretHash(secret) };
}

/**
 * Ends all other sessions of the person who acts, and all tokens but the new one of this session, whose sockets stay open.
 * Throws UnauthorizedError if the session has ended meanwhile.
 */
export async function startOver(
  tx: EmittingTransaction,
  { user_id: userId, credential: { id } }: SessionAccount,
  { hash, nowMs }: Pick<PreparedToken, 'hash'> & { readonly nowMs: number },
): Promise<Session> {
  await endAllSessions(tx, userId, { nowMs, except: id });
  const isReplaced = await replaceSecret(tx.sql, id, { secretHash: hash, formerUntilMs: 0 });
  const session = await selectSession(tx.sql, id);
  if (!isReplaced || session === undefined) throw new UnauthorizedError('token_ended');
  tx.changed('sessions', id);
  return describeSession(session, id);
}
