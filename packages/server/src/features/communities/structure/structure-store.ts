import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { CommunitiesTable } from './tables.ts';

const STRUCTURE_VERSIONS = `select c.id, c.structure_version from given
  join communities c on c.id = given.community_id`;

/** The versions of what communities say of themselves, their roles and channels; of those that there are. */
export async function selectStructureVersions(
  tx: Transaction,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const rows = await tx.many<Pick<CommunitiesTable, 'id' | 'structure_version'>>({
    text: STRUCTURE_VERSIONS,
    columns: { community_id: 'text' },
    rows: ids.map((id) => [id]),
  });
  return new Map(rows.map((row) => [row.id, Number(row.structure_version)]));
}
