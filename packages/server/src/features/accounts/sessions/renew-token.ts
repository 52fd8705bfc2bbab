import { ConflictError, UnauthorizedError, type Id, type Session } from '@hearth/protocol';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { secretHash, newTokenSecret } from './token-claims.ts';
import { replaceSecret, selectSession } from './store.ts';
import type { KeepsTokens } from './tokens.ts';
import { describeSession } from './list-sessions.ts';
import { endAllSessions } from './end-sessions.ts';

/** The time in milliseconds for which the former token is accepted: until the client has stored the new one. */
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
