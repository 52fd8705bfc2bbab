import { parseId } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../log/logger.ts';
import { KEPT, type Change, type Database } from '../../../ports/database/database.ts';
import { formatClientRange, parseClientRange } from '../../../client-range.ts';
import type { MessageOrigins } from './message-origins.ts';
import { deleteBanRequest, selectBanRequests, upsertBan, type BanRequest } from './store.ts';

/** The age in milliseconds that a request may reach if its command was killed. */
const MOST_AGE_MS = 60_000;

export interface BanRequestsOptions {
  readonly database: Database;
  readonly origins: MessageOrigins;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Bans the authors of messages as owner's commands request it, if this process knows the message's client. The ban has
 * the id of the request and does not name the message. Runs until it is disposed.
 */
export function answerBanRequests(options: BanRequestsOptions): AsyncDisposable {
  const { database, log } = options;
  let answering = Promise.resolve();
  const answer = () => {
    answering = answering
      .then(() => answerAll(options))
      .catch((err: unknown) => {
        log.warn({ err }, 'a request to ban the author of a message could not be answered');
      });
  };
  const stop = database.onChange((changes) => {
    if (concerns(changes)) answer();
  });
  return {
    async [Symbol.asyncDispose]() {
      stop();
      await answering;
    },
  };
}

async function answerAll({ database, origins, clock }: BanRequestsOptions): Promise<void> {
  for (const request of await selectBanRequests(database.reader)) {
    const message = parseId(request.messageId);
    const client = message === undefined ? undefined : origins.of(message);
    const range = client === undefined ? undefined : parseClientRange(client);
    if (range === undefined) {
      await forgetOld(database, request, clock.unixMs());
      continue;
    }
    await database.transaction(async (tx) => {
      if (!(await deleteBanRequest(tx.sql, request.id))) return;
      const clients = formatClientRange(range);
      await upsertBan(tx.sql, { ...request, clients, created_at: clock.unixMs() });
      tx.changed('moderation', 'bans');
    }, KEPT);
  }
}

async function forgetOld(
  database: Database,
  { id, createdAtMs }: BanRequest,
  nowMs: number,
): Promise<void> {
  if (nowMs - createdAtMs < MOST_AGE_MS) return;
  await database.transaction(({ sql }) => deleteBanRequest(sql, id));
}

function concerns(changes: readonly Change[] | 'unknown'): boolean {
  return (
    changes === 'unknown' ||
    changes.some(({ kind, id }) => kind === 'moderation' && id === 'ban_requests')
  );
}
