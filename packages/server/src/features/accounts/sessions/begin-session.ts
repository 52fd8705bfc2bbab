import type { Id, Session, SessionClient } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { announceEnds } from './end-sessions.ts';
import { describeSession } from './list-sessions.ts';
import { secretHash, newTokenSecret } from './token-claims.ts';
import { endSessions, insertSession, selectSessions, type NewSession } from './store.ts';
import type { KeepsTokens } from './tokens.ts';

/** Sessions of a user. The next one ends the one that was not used for the longest time. */
const MOST_SESSIONS = 50;

export interface PreparedSession {
  readonly row: NewSession;
  readonly token: string;
}

/** Prepares a session of a user, before the transaction that adds it. */
export async function prepareSession(
  { ids, clock, tokens }: Pick<Context, 'ids' | 'clock'> & KeepsTokens,
  {
    userId,
    client,
    addressHint,
  }: {
    readonly userId: Id;
    readonly client: SessionClient | undefined;
    readonly addressHint: string;
  },
): Promise<PreparedSession> {
  const [id, secret] = [await ids.next(), newTokenSecret()];
  const row = { id, userId, secretHash: secretHash(secret), client, addressHint };
  const token = await tokens.sign({ userId, sessionId: id, secret });
  return { row: { ...row, nowMs: clock.unixMs() }, token };
}

/** Adds the session, and ends the least recently used ones if there are too many. */
export async function beginSession(
  tx: EmittingTransaction,
  { row }: Pick<PreparedSession, 'row'>,
): Promise<Session> {
  const { userId, nowMs } = row;
  const others = await selectSessions(tx.sql, userId);
  const superfluous = others.slice(MOST_SESSIONS - 1).map(({ id }) => id);
  await announceEnds(tx, userId, await endSessions(tx.sql, userId, { ids: superfluous, nowMs }));
  return describeSession(await insertSession(tx.sql, row), row.id);
}
