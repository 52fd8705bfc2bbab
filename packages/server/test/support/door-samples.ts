import { MOST_COMMUNITY_INVITES } from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { z } from 'zod';
import type { Sample } from './samples.ts';

const madeSchema = z.object({ id: z.string() });
const inviteSchema = z.object({ code: z.string() });
const registeredSchema = z.object({ token: z.string(), user: madeSchema });

interface Prepared {
  /** A public community of Ada. */
  readonly communityId: string;
  readonly tokens: Readonly<Record<'ada' | 'bob' | 'gil', string>>;
  readonly gilId: string;
}

/** The places for which {@link doorSamples} ask. */
interface Doors {
  readonly communityId: string;
  /** A community of Ada that Bob, Gil and Leo ask to join. */
  readonly askedId: string;
  /** A community of Ada with as many invites as possible. */
  readonly fullId: string;
  /** Invites to the first community; the second one is there to be revoked. */
  readonly codes: readonly string[];
  /** Somebody who is banned from the first community. */
  readonly leoId: string;
  /** A member of as many communities as possible. */
  readonly gilId: string;
}

/** Prepares bans, invites and requests to join. */
export async function prepareDoors(
  at: TestInstance,
  { communityId, tokens: { ada, bob, gil }, gilId }: Prepared,
): Promise<Doors> {
  const ask = async (token: string, request: string, body: object = {}): Promise<unknown> => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(at.addresses.rest + path, {
      method,
      headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return await answer.json();
  };
  const make = async (slug: string, join: string) => {
    const community = { name: 'Garden', slug, visibility: 'public', join };
    return madeSchema.parse(await ask(ada, 'POST /communities', community)).id;
  };
  const invite = async (id: string) =>
    inviteSchema.parse(await ask(ada, `POST /communities/${id}/invites`)).code;
  const person = { username: 'leo', email: 'leo@example.org', password: 'correct horse battery' };
  const { token: leo, user } = registeredSchema.parse(await ask('', 'POST /users', person));
  const [askedId, fullId] = [
    await make('takes-requests', 'request'),
    await make('has-invites', 'open'),
  ];
  for (const token of [bob, gil, leo]) {
    await ask(token, `PUT /communities/${askedId}/join-requests/me`);
  }
  await ask(ada, `PUT /communities/${communityId}/bans/${user.id}`);
  await fillInvites(at, await invite(fullId));
  const codes = [await invite(communityId), await invite(communityId)];
  return { communityId, askedId, fullId, codes, leoId: user.id, gilId };
}

async function fillInvites(at: TestInstance, code: string): Promise<void> {
  await asOwner(at, ({ database }) =>
    database.transaction(async ({ sql }) => {
      const row = await sql
        .selectFrom('community_invites')
        .selectAll()
        .where('code', '=', code)
        .executeTakeFirstOrThrow();
      const others = Array.from({ length: MOST_COMMUNITY_INVITES - 1 }, (_, each) => String(each));
      await sql
        .insertInto('community_invites')
        .values(others.map((other) => ({ ...row, code: other })))
        .execute();
    }),
  );
}

/** Requests for the routes about bans, invites and requests to join that make them answer with each of their statuses. */
export function doorSamples({
  communityId,
  askedId,
  fullId,
  codes: [code = '', revoked = ''],
  leoId,
  gilId,
}: Doors): Readonly<Record<string, readonly Sample[]>> {
  const path = { community_id: communityId };
  const asked = { community_id: askedId };
  const nowhere = { community_id: '1' };
  const list = (of: Sample['path'], isPaged = true): readonly Sample[] => [
    { by: 'ada', path: of ?? {} },
    ...(isPaged ? [{ by: 'ada', path: of ?? {}, query: '?limit=0' } as const] : []),
    { by: 'ada', path: nowhere },
    { by: 'bob', path: of ?? {} },
  ];
  const removal = (of: Readonly<Record<string, string>>): readonly Sample[] => [
    { by: 'bob', path: of },
    { by: 'ada', path: of },
    { by: 'ada', path: of },
    { by: 'ada', path: of, query: '?reason=' },
  ];
  const leo = { ...path, user_id: leoId };
  return {
    listBans: list(path),
    findBan: [
      { by: 'ada', path: leo },
      { by: 'ada', path: { ...path, user_id: '1' } },
      { by: 'bob', path: leo },
    ],
    setBan: [
      { by: 'ada', path: leo, body: '{}' },
      { by: 'ada', path: leo, body: '{"reason":""}' },
      { by: 'ada', path: { ...path, user_id: '1' }, body: '{}' },
      { by: 'bob', path: leo, body: '{}' },
    ],
    liftBan: removal(leo),
    listCommunityInvites: list(path, false),
    createCommunityInvite: [
      { by: 'ada', path, body: '{}' },
      { by: 'ada', path, body: '{"max_uses":0}' },
      { by: 'ada', path: nowhere, body: '{}' },
      { by: 'bob', path, body: '{}' },
      { by: 'ada', path: { community_id: fullId }, body: '{}' },
    ],
    revokeCommunityInvite: removal({ ...path, code: revoked }),
    findInvite: [{ path: { code } }, { path: { code: '1'.repeat(12) } }],
    useInvite: [
      { by: 'bob', path: { code } },
      { by: 'gil', path: { code } },
      { by: 'bob', path: { code: '1'.repeat(12) } },
    ],
    listJoinRequests: list(asked),
    findOwnJoinRequest: [
      { by: 'bob', path: asked },
      { by: 'bob', path: nowhere },
    ],
    askToJoin: [
      { by: 'bob', path: asked, body: '{}' },
      { by: 'bob', path: asked, body: '{"text":""}' },
      { by: 'bob', path: nowhere, body: '{}' },
      { by: 'ada', path: asked, body: '{}' },
    ],
    withdrawJoinRequest: [
      { by: 'bob', path: asked },
      { by: 'bob', path: asked },
    ],
    acceptJoinRequest: [
      { by: 'ada', path: { ...asked, user_id: leoId } },
      { by: 'ada', path: { ...asked, user_id: gilId } },
      { by: 'ada', path: { ...asked, user_id: '1' } },
      { by: 'bob', path: { ...asked, user_id: leoId } },
    ],
    refuseJoinRequest: removal({ ...asked, user_id: gilId }),
  };
}
