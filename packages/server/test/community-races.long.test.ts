import type { Id } from '@hearth/protocol';
import { roleSchema } from '@hearth/protocol/schemas';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { Cluster } from '@hearth/testing/instances/cluster';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { sortable } from '../src/ports/database/sortable-id.ts';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;
const ROUNDS = 10;

type Person = Awaited<ReturnType<typeof RestPerson.register>>;
type Request = readonly [person: Person, method: string, path: string, body?: unknown];

const inviteSchema = z.object({ code: z.string() });

describe.skipIf(areServersMissing)('in three processes,', () => {
  const resources = new AsyncDisposableStack();
  let url: string;
  let cluster: Cluster;
  let ada: Person;
  let others: readonly Person[];
  let made = 0;

  beforeAll(async () => {
    const servers = resources.use(await sharedServers());
    const environment = await servers.newInstance();
    url = environment.DATABASE_URL;
    cluster = resources.use(
      await Cluster.start(environment, { rests: 3, gateways: 0, toml: TOML }),
    );
    ada = await RestPerson.register(cluster.at(), 'ada');
    // Each uses one of the processes.
    others = await Promise.all(
      ['bob', 'cyd', 'dan', 'eve', 'fay', 'gus'].map((name, index) =>
        RestPerson.register(cluster.at({ rest: index % 3 }), name),
      ),
    );
  });
  afterAll(() => resources.disposeAsync());

  const open = async (visibility: 'public' | 'private' = 'public') => {
    made += 1;
    return (await ada.garden(`races-${made}`, { visibility })).id;
  };
  const joinAll = async (id: Id, people = others) => {
    for (const person of people) await person.ask('PUT', `/communities/${id}/members/me`);
  };
  /** Sends all requests at once, in an order that differs from round to round. */
  const atOnce = async (round: number, requests: readonly Request[]) => {
    const turned = requests.map((_, index) => requests[(index + round) % requests.length]);
    const statuses = await Promise.all(
      turned.map(async (request) => {
        if (request === undefined) return 0;
        const [person, ...given] = request;
        const { status } = await person.ask(...given);
        return status;
      }),
    );
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    return statuses;
  };
  const rows = (query: string) => queryPostgres(url, query);

  /** Expects what must hold of every community, whatever happened at once. */
  const expectSound = async () => {
    expect(
      await rows(`select id, member_count from communities where member_count <>
        (select count(*) from members where community_id = id)`),
    ).toEqual([]);
    expect(
      await rows(`select id from communities where not exists
        (select 1 from members where community_id = id and user_id = owner_id)`),
    ).toEqual([]);
    expect(
      await rows(`select 1 from members join community_bans using (community_id, user_id)`),
    ).toEqual([]);
    expect(
      await rows(`select community_id from roles group by community_id
        having count(*) <> max(position) + 1 or count(distinct position) <> count(*)`),
    ).toEqual([]);
    expect(
      await rows(`select 1 from channel_overwrites where kind = 'role'
        and subject_id not in (select id from roles)`),
    ).toEqual([]);
  };

  test('[IV4] no more people come in than an invite says, while others leave and it is revoked', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await open('private');
      const uses = 1 + (round % 3);
      const given = [`/communities/${id}/invites`, { max_uses: uses }] as const;
      const { code } = await ada.ok(inviteSchema, 'POST', ...given);
      const statuses = await atOnce(round, [
        ...others.map((person) => [person, 'POST', `/invites/${code}`] as const),
        ...(round % 2 === 0
          ? []
          : [[ada, 'DELETE', `/communities/${id}/invites/${code}`] as const]),
      ]);
      const inside = await rows(`select 1 from members where community_id = '${sortable(id)}'`);
      if (round % 2 === 0) expect(inside).toHaveLength(uses + 1);
      expect(inside.length).toBeLessThanOrEqual(uses + 1);
      expect(statuses.filter((status) => status === 200).length).toBe(
        round % 2 === 0 ? uses : inside.length,
      );
    }
    await expectSound();
  });

  test('[BA6][CO18] nobody is banned and a member, and every community has an owner who is one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await open();
      const [bob = ada, cyd = ada, dan = ada, eve = ada] = others;
      await joinAll(id, [bob, cyd]);
      const { code } = await ada.ok(inviteSchema, 'POST', `/communities/${id}/invites`, {});
      const owner = (person: Person) =>
        [
          ...[ada, 'PUT', `/communities/${id}/owner`],
          { user_id: person.id, current_password: PASSWORD },
        ] as unknown as Request;
      await atOnce(round, [
        owner(bob),
        owner(cyd),
        [bob, 'DELETE', `/communities/${id}/members/me`],
        [ada, 'PUT', `/communities/${id}/bans/${cyd.id}`, {}],
        [ada, 'PUT', `/communities/${id}/bans/${dan.id}`, {}],
        [dan, 'PUT', `/communities/${id}/members/me`],
        [dan, 'POST', `/invites/${code}`],
        [ada, 'DELETE', `/communities/${id}/members/${bob.id}`],
        [eve, 'PUT', `/communities/${id}/members/me`],
        [ada, 'DELETE', `/communities/${id}/members/me`],
      ]);
    }
    await expectSound();
  });

  test('[CO6] a role that is deleted while it is given, ordered and named in channels leaves nothing', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await open();
      await joinAll(id);
      const path = `/communities/${id}/roles`;
      const add = async (name: string) => (await ada.ok(roleSchema, 'POST', path, { name })).id;
      const [first, second] = [await add('first'), await add('second')];
      const [channel] = await ada.ok(
        z.array(z.object({ id: z.string() })),
        'GET',
        `/communities/${id}/channels`,
      );
      const deny = { kind: 'role', allow: [], deny: ['VIEW'] };
      await atOnce(round, [
        ...others.map(
          ({ id: user }) =>
            [
              ...[ada, 'PATCH', `/communities/${id}/members/${user}`],
              { role_ids: [first, second] },
            ] as unknown as Request,
        ),
        [ada, 'DELETE', `${path}/${first}`],
        [ada, 'PUT', `${path}/order`, { ids: [second, first] }],
        [ada, 'PATCH', `${path}/${first}`, { permissions: ['ADMINISTRATOR'] }],
        [ada, 'PUT', `/channels/${channel?.id}/overwrites/${first}`, deny],
        [ada, 'POST', path, { name: 'third' }],
      ]);
    }
    await expectSound();
    // It is taken from very many in the background.
    const left = `select 1 from member_roles where role_id not in (select id from roles)`;
    await until(async () => (await rows(left)).length === 0);
  });

  test('[CO17] a community that is deleted and restored while people come and go is whole', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await open();
      await joinAll(id, others.slice(0, 3));
      const slug = `races-${made}`;
      const end: Request = [
        ada,
        'DELETE',
        `/communities/${id}`,
        { current_password: PASSWORD, slug },
      ];
      const restore: Request = [ada, 'POST', `/communities/${id}/restore`];
      await atOnce(round, [
        end,
        restore,
        end,
        restore,
        ...others.map((person) => [person, 'PUT', `/communities/${id}/members/me`] as const),
        [ada, 'PATCH', `/communities/${id}`, { description: 'Herbs' }],
        [ada, 'POST', `/communities/${id}/channels`, { kind: 'messages', name: 'herbs' }],
      ]);
      await ada.ask('POST', `/communities/${id}/restore`);
      await joinAll(id);
      const shown = await ada.ask('GET', `/communities/${id}`);
      expect(await shown.json()).toMatchObject({ member_count: others.length + 1 });
    }
    await expectSound();
  });
});
