import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { forgetGiven, selectGiving, type VoteKey } from './store.ts';

/** How many votes are looked up at a time: no index has them in the order in which they are read, so that each time all are sorted. */
const READ_AT_ONCE = 5_000;

/** How many go in one transaction. */
const AT_ONCE = 100;

/** Whom votes gave points, and which posts and comments there still are of some. */
export interface Forgetting {
  readonly communityId: Id;
  readonly authorId: Id;
  readonly signal: AbortSignal;
  readonly thereOf: (db: Reader, subjectIds: readonly Id[]) => Promise<ReadonlySet<Id>>;
}

/** Forgets what votes gave somebody in a community, and removes those for what is not there any more. */
export async function forgetAllGiven(
  { database }: Pick<Context, 'database'>,
  { communityId, authorId, signal, thereOf }: Forgetting,
): Promise<void> {
  let after: VoteKey | undefined;
  do {
    const range = { after, limit: READ_AT_ONCE };
    const votes = await selectGiving(database.reader, { communityId, authorId }, range);
    for (let from = 0; from < votes.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const some = votes.slice(from, from + AT_ONCE);
      const ids = [...new Set(some.map(({ subjectId }) => subjectId))];
      await database.transaction(async (tx) => {
        await forgetGiven(tx, some, await thereOf(tx.sql, ids));
      });
    }
    after = votes.at(-1);
  } while (after !== undefined);
}
