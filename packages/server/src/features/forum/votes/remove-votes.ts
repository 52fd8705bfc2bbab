import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { deleteAll } from '../../../ports/database/delete-after.ts';
import { countVotesFor, deleteVotesFor, sweptVotes } from './store.ts';

/** The number of votes that go in one transaction. */
const AT_ONCE = 1_000;

/** Removes the votes of {@link deleteVotesFor} some at a time. It can be interrupted and repeated. */
export async function clearVotes(
  { database }: Pick<Context, 'database'>,
  { subjectIds, signal }: { readonly subjectIds: readonly Id[]; readonly signal: AbortSignal },
): Promise<void> {
  const counts = await countVotesFor(database.reader, subjectIds);
  let [some, sum]: [Id[], number] = [[], 0];
  const clear = async () => {
    signal.throwIfAborted();
    const ids = some;
    await database.transaction(({ sql }) => deleteVotesFor(sql, ids));
    [some, sum] = [[], 0];
  };
  for (const [id, count] of counts) {
    if (count > AT_ONCE) {
      await deleteAll(database, sweptVotes(id), { atOnce: AT_ONCE, signal });
      continue;
    }
    if (sum + count > AT_ONCE) await clear();
    some.push(id);
    sum += count;
  }
  if (some.length > 0) await clear();
}
