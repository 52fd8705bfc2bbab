import { NO_ID } from '../../../ports/database/stored-id.ts';
import { compareIds } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { KEPT } from '../../../ports/database/database.ts';
import { endSessionsAfter } from '../sessions/sessions.ts';

/** How many sessions are ended in one transaction. */
const MOST_AT_ONCE = 500;

/**
 * Ends all sessions of all accounts, and closes their sockets, after the key of their tokens has been replaced. Returns how many
 * have ended. Throws ForbiddenError.
 */
export async function endEverySession(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
): Promise<number> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const nowMs = clock.unixMs();
  for (let [count, after] = [0, NO_ID]; ;) {
    // Their clients need no SESSION_END: no token is left with which they could follow their streams.
    const ended = await database.transaction(
      (tx) => endSessionsAfter(tx, { after, limit: MOST_AT_ONCE, nowMs }),
      KEPT,
    );
    count += ended.length;
    const last = ended.toSorted(compareIds).at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
