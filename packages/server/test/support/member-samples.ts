import { storedId } from '../../src/ports/database/stored-id.ts';
import { MOST_COMMUNITIES } from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import type { Sample } from './samples.ts';

interface Prepared {
  /** A public community. */
  readonly communityId: string;
  /** The token of somebody who joins it. */
  readonly member: string;
  /** Somebody who becomes a member of as many others as possible. */
  readonly busy: string;
}

/** Prepares the members of a community for {@link memberSamples}. */
export async function prepareMembers(
  at: TestInstance,
  { communityId, member, busy }: Prepared,
): Promise<void> {
  await fetch(`${at.addresses.rest}/communities/${communityId}/members/me`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${member}` },
  });
  const ids = Array.from({ length: MOST_COMMUNITIES }, (_, each) => storedId(String(each + 1_000)));
  await asOwner(at, ({ database }) =>
    database.transaction(async ({ sql }) => {
      const community = await sql
        .selectFrom('communities')
        .selectAll()
        .where('id', '=', storedId(communityId))
        .executeTakeFirstOrThrow();
      const others = ids.map(
        (id) => ({ ...community, id, slug: id, visibility: 'private' }) as const,
      );
      await sql.insertInto('communities').values(others).execute();
      const joined = { nickname: '', joined_at_ms: 0, timed_out_until_ms: 0, version: 1 };
      const rows = ids.map((id) => ({ community_id: id, user_id: storedId(busy), ...joined }));
      await sql.insertInto('members').values(rows).execute();
    }),
  );
}

interface People {
  readonly adaId: string;
  readonly communityId: string;
  readonly floId: string;
}

/** Requests for the routes about members that make them answer with each of their statuses. */
export function memberSamples({
  adaId,
  communityId,
  floId,
}: People): Readonly<Record<string, readonly Sample[]>> {
  const path = { community_id: communityId };
  const ofAda = { ...path, user_id: adaId };
  const ofFlo = { ...path, user_id: floId };
  const nowhere = { community_id: '1' };
  return {
    listMembers: [{ path }, { path, query: '?limit=0' }, { path: nowhere }],
    joinCommunity: [
      { by: 'bob', path },
      { by: 'gil', path },
      { by: 'bob', path: nowhere },
    ],
    leaveCommunity: [
      { by: 'bob', path },
      { by: 'bob', path },
      { by: 'ada', path },
    ],
    findMember: [{ path: ofAda }, { path: { ...path, user_id: '1' } }],
    changeMember: [
      { by: 'ada', path: ofFlo, body: '{"nickname":"Flora"}' },
      { by: 'ada', path: ofFlo, body: '{"nickname":""}' },
      { by: 'ada', path: { ...path, user_id: '1' }, body: '{}' },
    ],
    removeMember: [
      { by: 'ada', path: ofFlo },
      { by: 'ada', path: ofFlo },
      { by: 'ada', path: ofFlo, query: '?reason=' },
    ],
  };
}
