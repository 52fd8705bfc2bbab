import { compareIds, type Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import { selectNextId } from './store.ts';

/** Blocks with messages of the lobby before an id, and whether they end before it. */
export async function selectLobbyBlocks(
  db: Reader,
  id: Id,
): Promise<readonly { readonly block: number; readonly isOver: boolean }[]> {
  const blocks = await db
    .selectFrom('search_blocks')
    .select(['block', 'index_number', 'first_id'])
    .where('has_lobby', '=', 1)
    .where('first_id', '<', id)
    .execute();
  const found: { readonly block: number; readonly isOver: boolean }[] = [];
  for (const { block, index_number: index, first_id: firstId } of blocks) {
    const next = await selectNextId(db, index, firstId);
    const isOver = next !== undefined && compareIds(next, id) <= 0;
    const some = await db
      .selectFrom('search_entries')
      .select('position')
      .where('block', '=', block)
      .where('entry_id', '<', id)
      .where('kind', '=', 'lobby')
      .limit(1)
      .executeTakeFirst();
    if (isOver || some !== undefined) found.push({ block, isOver });
  }
  return found;
}

/** The messages of the lobby before an id, as they are deleted from a block. */
export function sweptLobby(block: number, id: Id): Swept {
  const only = { kind: 'lobby' };
  return { table: 'search_entries', where: { block }, order: ['entry_id'], before: id, only };
}

/** Notes that a block has no messages of the lobby any more. */
export async function noteWithoutLobby(db: Writer, block: number): Promise<void> {
  await db.updateTable('search_blocks').set({ has_lobby: 0 }).where('block', '=', block).execute();
}
