import type { Id } from '@hearth/protocol';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { selectReactionsAfter, type StoredReaction } from './reaction-store.ts';

/** The number of reactions that are read at a time. */
const AT_ONCE = 200;

/** Reads the reactions of a person in the lobby or in channels, those to the oldest messages first. */
export async function* eachReaction(
  db: Reader,
  userId: Id,
  of: 'lobby' | 'channels',
): AsyncGenerator<StoredReaction> {
  for (let after: StoredReaction | undefined; ;) {
    const reactions = await selectReactionsAfter(db, userId, { after, limit: AT_ONCE });
    yield* reactions.filter(({ channelId }) => (channelId === NO_ID) === (of === 'lobby'));
    after = reactions.at(-1);
    if (reactions.length < AT_ONCE) return;
  }
}
