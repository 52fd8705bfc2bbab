import type { Transaction } from '../../../ports/database/database.ts';
import type { StoredMember } from './member-store.ts';
import { pairOf, type MemberPair } from './new-members-store.ts';
import type { MembersTable } from './tables.ts';

const HOLD = `select m.community_id, m.user_id, m.version, c.structure_version from given
  join members m on m.community_id = given.community_id and m.user_id = given.user_id
  join communities c on c.id = m.community_id order by m.community_id, m.user_id`;

/** A membership and its community, as a transaction finds them. */
export interface HeldVersion extends MemberPair, Pick<StoredMember, 'version'> {
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
  people: readonly MemberPair[],
): Promise<readonly HeldVersion[]> {
  const rows = await tx.many<HeldRow>({
    text: HOLD,
    columns: { community_id: 'text', user_id: 'text' },
    rows: people.map(({ communityId, userId }) => [communityId, userId]),
    locks: 'for share of m',
  });
  return rows.map((row) => {
    return { ...pairOf(row), version: row.version, structureVersion: row.structure_version };
  });
}
