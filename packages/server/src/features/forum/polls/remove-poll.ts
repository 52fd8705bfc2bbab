import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { deleteAll } from '../../../ports/database/delete-after.ts';
import { sweptChoices } from './store.ts';

/** How many votes are removed in one transaction. */
const VOTES_AT_ONCE = 1_000;

/** Removes the votes of the poll of a post that was deleted. It can be interrupted and repeated. */
export async function clearPoll(
  { database }: Pick<Context, 'database'>,
  { postId, signal }: { readonly postId: Id; readonly signal: AbortSignal },
): Promise<void> {
  await deleteAll(database, sweptChoices(postId), { atOnce: VOTES_AT_ONCE, signal });
}
