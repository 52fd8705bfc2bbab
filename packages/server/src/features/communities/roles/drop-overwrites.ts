import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { raiseVersions } from '../../platform/turns/turns.ts';
import { deleteOverwrite, type KnownCommunity } from '../structure/structure.ts';

/** Removes the overwrites of a role that is about to be removed. */
export async function dropOverwritesOf(
  { sql }: Transaction,
  { channelById }: Pick<KnownCommunity, 'channelById'>,
  roleId: Id,
): Promise<void> {
  for (const { id, overwrites } of channelById.values()) {
    if (!overwrites.some(({ kind, id: subject }) => kind === 'role' && subject === roleId))
      continue;
    await deleteOverwrite(sql, id, roleId);
    await raiseVersions(sql, [id]);
  }
}
