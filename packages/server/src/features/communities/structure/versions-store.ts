import type { Transaction } from '../../../ports/database/database.ts';
import type { StoredMember } from './member-store.ts';
import type { MembersTable } from './tables.ts';

const HOLD = `select m.community_id, m.user_id, m.version, c.structure_version from given
  join members m on m.community_id = given.community_id and m.user_id = given.user_id
  join communities c on c.id = m.community_id order by m.community_id, m.user_id`;

/** A membership and its community, as a transaction finds them. */
export interface HeldVersion extends Pick<StoredMember, 'communityId' | 'userId' | 'version'> {
  /** That of the community, which stays as it is only if something else keeps it. */
  readonly structureVersion: number;
}

interface HeldRow extends Pick<MembersTable, 'community_id' | 'user_id' | 'version'> {
  readonly structure_version: number;
}

/**
 * The versions of the memberships of some people, each in a community, which stay as they are until the transaction ends. Those who
 * are no members are left out.
 */
export async function holdVersionsOf(
  tx: Transaction,
  people: readonly Pick<StoredMember, 'communityId' | 'userId'>[],
): Promise<readonly HeldVersion[]> {
  const rows = await tx.many<HeldRow>({
    text: HOLD,
    columns: { community_id: 'text', user_id: 'text' },
    rows: people.map(({ communityId, userId }) => [communityId, userId]),
    locks: 'for share of m',
  });
  return rows.map((row) => ({
    communityId: row.community_id,
    userId: row.user_id,
    version: Number(row.version),
    structureVersion: Number(row.structure_version),
  }));
}
