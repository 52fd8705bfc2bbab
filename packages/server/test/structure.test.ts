import {
  auditLogSchema,
  channelListSchema,
  channelSchema,
  nothingSchema,
  roleListSchema,
  roleSchema,
} from '@hearth/protocol/schemas';
import type { OwnCommunity } from '@hearth/protocol';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';

type Request = Parameters<RestPerson['ask']>;
type Person = Awaited<ReturnType<typeof RestPerson.register>>;

let instance: TestInstance;
let ada: Person;
let bob: Person;
let visitor: RestPerson;
/** Everyone reads it; Bob is no member. */
let park: OwnCommunity;
/** Nobody but Ada knows it. */
let hidden: OwnCommunity;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await RestPerson.register(instance, 'ada');
  bob = await RestPerson.register(instance, 'bob');
  visitor = RestPerson.visitor(instance);
  park = await ada.garden('park', { visibility: 'public' });
  hidden = await ada.garden('hidden');
});
afterAll(() => instance[Symbol.asyncDispose]());

test('[CO6] roles are added, read, changed, ordered and removed', async () => {
  const path = `/communities/${park.id}/roles`;
  const low = await ada.ok(roleSchema, 'POST', path, { name: 'low', colour: '#33CC66' });
  expect(low).toMatchObject({ position: 1, colour: '#33cc66', permissions: [], version: 1 });
  const high = await ada.ok(roleSchema, 'POST', path, { name: 'high', permissions: ['KICK'] });
  const ids = [low.id, high.id];
  const ordered = await ada.ok(roleListSchema, 'PUT', `${path}/order`, { ids });
  expect(ordered.map(({ name }) => name)).toEqual(['everyone', 'low', 'high']);
  for (const person of [bob, visitor]) {
    expect(await person.ok(roleListSchema, 'GET', path)).toEqual(ordered);
    expect([await person.ok(roleSchema, 'GET', `${path}/${park.id}`)]).toEqual(ordered.slice(0, 1));
  }
  const changed = await ada.ok(roleSchema, 'PATCH', `${path}/${low.id}`, { colour: null });
  expect(changed).not.toHaveProperty('colour');
  expect(await ada.ok(nothingSchema, 'DELETE', `${path}/${low.id}`)).toEqual({});
  expect(await ada.refusal('DELETE', `${path}/${low.id}`)).toEqual([404]);
  expect(await ada.refusal('DELETE', `${path}/${park.id}`)).toEqual([403, 'rank_too_low']);
});

test('[CH4] channels are added, read, changed, ordered and removed', async () => {
  const path = `/communities/${park.id}/channels`;
  const [general] = await visitor.ok(channelListSchema, 'GET', path);
  const beds = await ada.ok(channelSchema, 'POST', path, { kind: 'category', name: 'Beds' });
  const roses = await ada.ok(channelSchema, 'POST', path, {
    kind: 'announcements',
    name: 'roses',
    category_id: beds.id,
    overwrites: [{ id: park.id, kind: 'role', allow: [], deny: ['VIEW'] }],
  });
  expect(roses).toMatchObject({ category_id: beds.id, restricted: true, position: 2 });
  const order = [{ id: beds.id }, { id: roses.id }, { id: general?.id, category_id: beds.id }];
  const ordered = await ada.ok(channelListSchema, 'PUT', `${path}/order`, { order });
  expect(ordered.map(({ name }) => name)).toEqual(['Beds', 'roses', 'general']);
  const given = { topic: 'Prune in March', slow_mode_seconds: 5 };
  expect(await ada.ok(channelSchema, 'PATCH', `/channels/${roses.id}`, given)).toMatchObject(given);
  for (const person of [bob, visitor]) {
    expect(await person.refusal('GET', `/channels/${roses.id}`)).toEqual([404]);
    expect(await person.ok(channelSchema, 'GET', `/channels/${beds.id}`)).toMatchObject({
      name: 'Beds',
    });
  }
  const overwrite = `/channels/${roses.id}/overwrites/${park.id}`;
  const sending = { kind: 'role', allow: [], deny: ['SEND_MESSAGES'] };
  const opened = await ada.ok(channelSchema, 'PUT', overwrite, sending);
  expect(opened.overwrites).toEqual([
    { id: park.id, kind: 'role', allow: [], deny: ['SEND_MESSAGES'] },
  ]);
  expect(await bob.ok(channelSchema, 'GET', `/channels/${roses.id}`)).toEqual(opened);
  expect(await ada.ok(channelSchema, 'DELETE', overwrite)).not.toHaveProperty('overwrites');
  expect(await ada.refusal('DELETE', overwrite)).toEqual([404]);
  expect(await ada.ok(nothingSchema, 'DELETE', `/channels/${roses.id}`)).toEqual({});
  expect(await ada.refusal('GET', `/channels/${roses.id}`)).toEqual([404]);
  const log = await ada.ok(auditLogSchema, 'GET', `/communities/${park.id}/audit-log?limit=3`);
  expect(log.map(({ action }) => action)).toEqual([
    'channel_delete',
    'overwrite_delete',
    'overwrite_set',
  ]);
});

test('[CO3][CO6][CH3] nothing of a hidden community is there, and nothing of a public one is changed without permission', async () => {
  const role = { name: 'x' };
  const channel = { kind: 'messages', name: 'x' };
  const overwrite = { kind: 'role', allow: [], deny: [] };
  const requests = (
    { id, channels }: OwnCommunity,
    roleId = id,
    channelId = channels[0]?.id,
  ): Request[] => [
    ['POST', `/communities/${id}/roles`, role],
    ['PATCH', `/communities/${id}/roles/${roleId}`, role],
    ['DELETE', `/communities/${id}/roles/${roleId}`],
    ['PUT', `/communities/${id}/roles/order`, { ids: [] }],
    ['POST', `/communities/${id}/channels`, channel],
    ['PUT', `/communities/${id}/channels/order`, { order: [] }],
    ['PATCH', `/channels/${channelId}`, { name: 'x' }],
    ['PUT', `/channels/${channelId}/overwrites/${id}`, overwrite],
    ['DELETE', `/channels/${channelId}/overwrites/${id}`],
    ['DELETE', `/channels/${channelId}`],
    ['GET', `/communities/${id}/audit-log`],
  ];
  const reads = ({ id, channels }: OwnCommunity) => [
    `/communities/${id}/roles`,
    `/communities/${id}/roles/${id}`,
    `/communities/${id}/channels`,
    `/channels/${channels[0]?.id}`,
  ];
  const nowhere = { ...hidden, id: '1', channels: [{ id: '1' }] } as unknown as OwnCommunity;
  for (const [at, expected] of [
    [hidden, [404]],
    [nowhere, [404]],
    [park, [403, 'not_member']],
  ] as const) {
    for (const request of requests(at)) {
      const reason = request[0] === 'GET' && at === park ? [403, 'VIEW_AUDIT_LOG'] : expected;
      const refusal: readonly unknown[] = await bob.refusal(...request);
      expect<unknown>([request, refusal]).toEqual([request, reason]);
      expect(await visitor.refusal(...request)).toEqual([401, 'token_invalid']);
    }
    for (const path of at === park ? [] : reads(at)) {
      for (const person of [bob, visitor]) expect(await person.refusal('GET', path)).toEqual([404]);
    }
  }
});

test('[CO3] a role is found in its own community only', async () => {
  const role = await ada.ok(roleSchema, 'POST', `/communities/${hidden.id}/roles`, { name: 'x' });
  const path = `/communities/${park.id}/roles/${role.id}`;
  expect(await ada.refusal('GET', path)).toEqual([404]);
  expect(await ada.refusal('PATCH', path, { name: 'y' })).toEqual([404]);
  expect(await ada.refusal('DELETE', path)).toEqual([404]);
  const overwrite = `/channels/${park.channels[0]?.id}/overwrites/${role.id}`;
  const given = { kind: 'role', allow: [], deny: ['VIEW'] };
  expect(await ada.refusal('PUT', overwrite, given)).toEqual([422, 'id']);
  const [secret] = hidden.channels;
  const order = [{ id: park.channels[0]?.id }, { id: secret?.id }];
  const ordering = `/communities/${park.id}/channels/order`;
  expect(await ada.refusal('PUT', ordering, { order })).toEqual([422, 'order']);
});

test('[CH3][CO6] what is not understood is refused with the name of its field', async () => {
  const [general] = park.channels;
  const roles = `/communities/${park.id}/roles`;
  const channels = `/communities/${park.id}/channels`;
  const wrong = [
    ['POST', roles, {}, 'name'],
    ['POST', roles, { name: '\u202Ex' }, 'name'],
    ['POST', roles, { name: 'x', colour: 'red' }, 'colour'],
    ['POST', roles, { name: 'x', permissions: ['FLY'] }, 'permissions'],
    ['PUT', `${roles}/order`, { ids: [park.id] }, 'ids'],
    ['PATCH', `${roles}/${park.id}`, { name: 'x' }, 'name'],
    ['POST', channels, { kind: 'voice', name: 'x' }, 'kind'],
    ['POST', channels, { kind: 'messages', name: '' }, 'name'],
    ['POST', channels, { kind: 'messages', name: 'x', topic: '\u0000' }, 'topic'],
    ['POST', channels, { kind: 'messages', name: 'x', category_id: general?.id }, 'category_id'],
    ['PATCH', `/channels/${general?.id}`, { slow_mode_seconds: -1 }, 'slow_mode_seconds'],
    [
      'PUT',
      `/channels/${general?.id}/overwrites/${park.id}`,
      { kind: 'role', allow: ['MANAGE_ROLES'], deny: [] },
      'allow',
    ],
  ] as const;
  for (const [method, path, body, field] of wrong) {
    expect([body, await ada.refusal(method, path, body)]).toEqual([body, [422, field]]);
  }
});
