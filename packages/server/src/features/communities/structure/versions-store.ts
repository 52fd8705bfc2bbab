import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { StoredMember } from './member-store.ts';
import type { MemberPair } from './new-members-store.ts';

const HOLD = `select m.community_id as "communityId", m.user_id as "userId", m.version,
    c.structure_version as "structureVersion" from given
  join members m on m.community_id = given.community_id and m.user_id = given.user_id
  join communities c on c.id = m.community_id order by m.community_id, m.user_id`;

/** A membership and its community, as a transaction finds them. */
export interface HeldVersion extends MemberPair, Pick<StoredMember, 'version'> {
  /** That of the community, which stays as it is only if something else keeps it. */
  readonly structureVersion: number;
}

/**
 * The versions of the memberships of some people, each in a community, which stay as they are until the transaction ends. Those who
 * are no members are left out.
 */
export async function holdVersionsOf(
  tx: Transaction,
  people: readonly MemberPair[],
): Promise<readonly HeldVersion[]> {
  return await tx.many({
    text: HOLD,
    columns: { community_id: 'text', user_id: 'text' },
    rows: people.map(({ communityId, userId }) => [communityId, userId]),
    locks: 'for share of m',
  });
}

const STRUCTURE_VERSIONS = `select c.id, c.structure_version as version from given
  join communities c on c.id = given.community_id`;

/** The versions of what communities say of themselves, their roles and channels; of those that there are. */
export async function selectStructureVersions(
  tx: Transaction,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const rows = await tx.many<{ readonly id: Id; readonly version: number }>({
    text: STRUCTURE_VERSIONS,
    columns: { community_id: 'text' },
    rows: ids.map((id) => [id]),
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}
