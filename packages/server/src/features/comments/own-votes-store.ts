import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';

/** How somebody votes for comments; those without a vote are left out. */
export async function selectOwnVotes(
  db: Reader,
  userId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, 1 | -1>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('votes')
    .select(['subject_id', 'value'])
    .where('user_id', '=', sortable(userId))
    .where('subject_id', 'in', ids.map(sortable))
    .execute();
  return new Map(rows.map((row) => [idIn(row.subject_id), Number(row.value) > 0 ? 1 : -1]));
}
