import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { Release } from '../../platform/contents/contents.ts';
import { releasePictures } from './community-pictures.ts';
import { deleteCommunityRow, lockRemoved } from '../structure/structure.ts';

/** Removes a community of which nothing else is left, and its pictures unless they are used otherwise. */
export async function removeCommunity(tx: Transaction, id: Id, release: Release): Promise<void> {
  const community = await lockRemoved(tx.sql, id);
  if (community === undefined) return;
  await releasePictures(tx, community, release);
  await deleteCommunityRow(tx.sql, id);
  tx.changed('communities', id);
}
