import { memberListSchema, memberSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';

type Person = Awaited<ReturnType<typeof RestPerson.register>>;

let instance: TestInstance;
let ada: Person;
let bob: Person;
let visitor: RestPerson;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await RestPerson.register(instance, 'ada');
  bob = await RestPerson.register(instance, 'bob');
  visitor = RestPerson.visitor(instance);
});
afterAll(() => instance[Symbol.asyncDispose]());

test('[MB1][MB2][MB4] people join, are found by their names page by page, and leave', async () => {
  const { id } = await ada.garden('joined', { visibility: 'public' });
  const members = `/communities/${id}/members`;
  for (let each = 0; each < 2; each += 1) {
    const joined = await bob.ok(ownCommunitySchema, 'PUT', `${members}/me`);
    expect(joined).toMatchObject({ id, member_count: 2, membership: { role_ids: [] } });
  }
  await bob.ask('PATCH', '/users/me', { display_name: 'Adam' });
  const first = await visitor.ask('GET', `${members}?q=AD&limit=1`);
  expect(memberListSchema.parse(await first.json())).toMatchObject([{ user: { username: 'ada' } }]);
  const link = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(link).toStartWith('?q=AD&limit=1&cursor=');
  const second = await visitor.ask('GET', members + link);
  expect(await second.json()).toMatchObject([{ user: { username: 'bob', display_name: 'Adam' } }]);
  expect(second.headers.has('link')).toBe(false);
  expect(await visitor.refusal('GET', `${members}?cursor=x`)).toEqual([422, 'cursor']);
  expect(await bob.ok(ownCommunitySchema.partial(), 'DELETE', `${members}/me`)).toEqual({});
  expect(await bob.refusal('DELETE', `${members}/me`)).toEqual([404]);
  expect(await ada.refusal('DELETE', `${members}/me`)).toEqual([409, 'wrong_state']);
});

test('[CO7][MB5] a member is changed and removed by those who may, in their own community only', async () => {
  const { id } = await ada.garden('changed', { visibility: 'public' });
  const other = await ada.garden('other', { visibility: 'public' });
  const member = `/communities/${id}/members/${bob.id}`;
  await bob.ok(ownCommunitySchema, 'PUT', `/communities/${id}/members/me`);
  const change = { nickname: 'Bobby', timed_out_until: Date.now() + 60_000 };
  expect(await ada.ok(memberSchema, 'PATCH', member, change)).toMatchObject(change);
  expect(await visitor.ok(memberSchema, 'GET', member)).toMatchObject({ nickname: 'Bobby' });
  expect(await bob.refusal('PATCH', member, { nickname: null })).toEqual([403, 'timed_out']);
  expect(await ada.refusal('PATCH', member, { role_ids: ['1'] })).toEqual([422, 'role_ids']);
  expect(await bob.refusal('DELETE', `/communities/${id}/members/${ada.id}`)).toEqual([
    403,
    'timed_out',
  ]);
  const elsewhere = `/communities/${other.id}/members/${bob.id}`;
  for (const method of ['GET', 'DELETE'])
    expect(await ada.refusal(method, elsewhere)).toEqual([404]);
  expect(await ada.refusal('PATCH', elsewhere, {})).toEqual([404]);
  expect((await ada.ask('DELETE', `${member}?reason=noise`)).status).toBe(200);
  expect(await ada.refusal('GET', member)).toEqual([404]);
});

test('[MB3][CO3] a private community has no members for anybody else', async () => {
  const { id } = await ada.garden('secret');
  const requests = (community: string): readonly Parameters<RestPerson['ask']>[] => [
    ['GET', `/communities/${community}/members`],
    ['GET', `/communities/${community}/members/${ada.id}`],
    ['PUT', `/communities/${community}/members/me`],
    ['DELETE', `/communities/${community}/members/me`],
    ['PATCH', `/communities/${community}/members/${ada.id}`, {}],
    ['DELETE', `/communities/${community}/members/${ada.id}`],
  ];
  for (const community of [id, '1']) {
    for (const request of requests(community)) expect(await bob.refusal(...request)).toEqual([404]);
    for (const request of requests(community)) {
      const isRead = request[0] === 'GET';
      expect(await visitor.refusal(...request)).toEqual(isRead ? [404] : [401, 'token_invalid']);
    }
  }
});

test('[MB8] somebody who owns a community cannot delete their account, and others leave with it', async () => {
  const { id } = await ada.garden('left', { visibility: 'public' });
  const eve = await RestPerson.register(instance, 'eve');
  await eve.ok(ownCommunitySchema, 'PUT', `/communities/${id}/members/me`);
  const deletion = { current_password: PASSWORD, content: 'keep' };
  expect(await ada.refusal('DELETE', '/users/me', deletion)).toEqual([409, 'owns_communities']);
  expect((await eve.ask('DELETE', '/users/me', deletion)).status).toBe(200);
  await until(async () => {
    const members = await visitor.ok(memberListSchema, 'GET', `/communities/${id}/members`);
    return members.length === 1;
  });
});
