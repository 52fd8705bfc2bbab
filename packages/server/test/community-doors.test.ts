import {
  banListSchema,
  banSchema,
  communityInviteListSchema,
  communityInviteSchema,
  invitationSchema,
  joinRequestListSchema,
  joinRequestSchema,
  memberSchema,
  nothingSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';

type Person = Awaited<ReturnType<typeof RestPerson.register>>;
type Request = Parameters<RestPerson['ask']>;

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

test('[BA1][BA2][BA4] somebody is banned, listed, and let in again', async () => {
  const { id } = await ada.garden('banned', { visibility: 'public' });
  const [bans, me] = [`/communities/${id}/bans`, `/communities/${id}/members/me`];
  await bob.ok(ownCommunitySchema, 'PUT', me);
  expect(await bob.refusal('PUT', `${bans}/${ada.id}`, {})).toEqual([403, 'BAN']);
  const ban = await ada.ok(banSchema, 'PUT', `${bans}/${bob.id}`, { reason: 'Spam' });
  expect(ban).toMatchObject({ reason: 'Spam', user: { username: 'bob' } });
  expect(await ada.ok(banListSchema, 'GET', bans)).toEqual([ban]);
  expect(await ada.ok(banSchema, 'GET', `${bans}/${bob.id}`)).toEqual(ban);
  expect(await bob.refusal('PUT', me)).toEqual([403, 'banned_here']);
  for (const [field, value] of [
    ['delete_seconds', 7 * 86_400 + 1],
    ['expires_at', 1],
    ['reason', 'a\nb'],
  ] as const) {
    const wrong = { [field]: value };
    expect(await ada.refusal('PUT', `${bans}/${bob.id}`, wrong)).toEqual([422, field]);
  }
  expect(await ada.ok(nothingSchema, 'DELETE', `${bans}/${bob.id}?reason=sorry`)).toEqual({});
  expect(await ada.refusal('DELETE', `${bans}/${bob.id}`)).toEqual([404]);
  await bob.ok(ownCommunitySchema, 'PUT', me);
});

test('[IV1][IV3][IV5] an invite is made, shown, used and revoked', async () => {
  const { id } = await ada.garden('invited');
  const other = await ada.garden('elsewhere');
  const invites = `/communities/${id}/invites`;
  const made = await ada.ok(communityInviteSchema, 'POST', invites, { max_uses: 1 });
  expect(await ada.ok(communityInviteListSchema, 'GET', invites)).toEqual([made]);
  const link = `/invites/${made.code}`;
  for (const person of [visitor, bob]) {
    expect(await person.ok(invitationSchema, 'GET', link)).toMatchObject({
      code: made.code,
      community: { id, name: 'Garden', member_count: 1 },
    });
  }
  expect(await visitor.refusal('POST', link)).toEqual([401, 'token_invalid']);
  for (let each = 0; each < 2; each += 1) {
    expect(await bob.ok(ownCommunitySchema, 'POST', link)).toMatchObject({ id, member_count: 2 });
  }
  expect(await visitor.refusal('GET', link)).toEqual([404]);
  expect(await ada.ok(communityInviteListSchema, 'GET', invites)).toEqual([]);
  for (const [field, value] of [
    ['max_uses', 0],
    ['expires_at', 1],
    ['channel_id', '1'],
    ['role_ids', ['1']],
  ] as const) {
    expect(await ada.refusal('POST', invites, { [field]: value })).toEqual([422, field]);
  }
  const another = await bob.ok(communityInviteSchema, 'POST', invites, {});
  const elsewhere = `/communities/${other.id}/invites/${another.code}`;
  expect(await ada.refusal('DELETE', elsewhere)).toEqual([404]);
  expect(await ada.ok(nothingSchema, 'DELETE', `${invites}/${another.code}`)).toEqual({});
  expect(await visitor.refusal('GET', `/invites/${another.code}`)).toEqual([404]);
  for (const code of ['x', '0'.repeat(12), '%00'.repeat(12)]) {
    expect(await visitor.refusal('GET', `/invites/${code}`)).toEqual([404]);
  }
});

test('[JR1][JR2][JR3] somebody asks to join, and is refused and accepted', async () => {
  const { id } = await ada.garden('asked', { visibility: 'public', join: 'request' });
  const other = await ada.garden('unasked', { visibility: 'public', join: 'request' });
  const requests = `/communities/${id}/join-requests`;
  const ask = (text: string) => bob.ok(joinRequestSchema, 'PUT', `${requests}/me`, { text });
  const asked = await ask('I grow roses');
  expect(asked).toMatchObject({ text: 'I grow roses', user: { username: 'bob' } });
  expect(await bob.ok(joinRequestSchema, 'GET', `${requests}/me`)).toEqual(asked);
  expect(await ada.ok(joinRequestListSchema, 'GET', requests)).toEqual([asked]);
  expect(await bob.refusal('GET', requests)).toEqual([403, 'KICK']);
  expect(await bob.refusal('PUT', `${requests}/${bob.id}`)).toEqual([403, 'not_member']);
  const elsewhere = `/communities/${other.id}/join-requests/${bob.id}`;
  for (const method of ['PUT', 'DELETE'])
    expect(await ada.refusal(method, elsewhere)).toEqual([404]);
  expect(await ada.ok(nothingSchema, 'DELETE', `${requests}/${bob.id}?reason=full`)).toEqual({});
  expect(await bob.refusal('GET', `${requests}/me`)).toEqual([404]);
  await ask('Please');
  expect(await bob.ok(nothingSchema, 'DELETE', `${requests}/me`)).toEqual({});
  expect(await bob.refusal('DELETE', `${requests}/me`)).toEqual([404]);
  expect(await bob.refusal('PUT', `${requests}/me`, { text: 'x'.repeat(513) })).toEqual([
    422,
    'text',
  ]);
  await ask('Please');
  const member = await ada.ok(memberSchema, 'PUT', `${requests}/${bob.id}`);
  expect(member).toMatchObject({ user: { username: 'bob' }, community_id: id });
  expect(await bob.refusal('PUT', `${requests}/me`, {})).toEqual([409, 'wrong_state']);
});

test('[CO3][BA4][IV1][JR1] a private community has no bans, invites and requests for anybody else', async () => {
  const { id } = await ada.garden('hidden', { join: 'request' });
  const requests = (community: string): readonly Request[] => {
    const at = `/communities/${community}`;
    return [
      ['GET', `${at}/bans`],
      ['GET', `${at}/bans/${ada.id}`],
      ['PUT', `${at}/bans/${ada.id}`, {}],
      ['DELETE', `${at}/bans/${ada.id}`],
      ['GET', `${at}/invites`],
      ['POST', `${at}/invites`, {}],
      ['DELETE', `${at}/invites/${'1'.repeat(12)}`],
      ['GET', `${at}/join-requests`],
      ['GET', `${at}/join-requests/me`],
      ['PUT', `${at}/join-requests/me`, {}],
      ['DELETE', `${at}/join-requests/me`],
      ['PUT', `${at}/join-requests/${ada.id}`],
      ['DELETE', `${at}/join-requests/${ada.id}`],
    ];
  };
  for (const community of [id, '1']) {
    for (const request of requests(community)) {
      expect([request, await bob.refusal(...request)]).toEqual([request, [404]]);
      expect(await visitor.refusal(...request)).toEqual([401, 'token_invalid']);
    }
  }
});

test('[BA1][JR3] moderators hear of requests, and somebody who is banned hears nothing more', async () => {
  const { id } = await ada.garden('heard', { visibility: 'public', join: 'request' });
  using moderator = await AccountClient.enter(instance, { token: ada.token });
  using person = await AccountClient.enter(instance, { token: bob.token });
  const request = `/communities/${id}/join-requests`;
  await bob.ok(joinRequestSchema, 'PUT', `${request}/me`, {});
  await moderator.until('JOIN_REQUEST_CREATE');
  await ada.ok(memberSchema, 'PUT', `${request}/${bob.id}`);
  await moderator.until('JOIN_REQUEST_DELETE');
  expect(moderator.eventsOf(`m:${id}`).map(([op]) => op)).toEqual([
    'JOIN_REQUEST_CREATE',
    'JOIN_REQUEST_DELETE',
  ]);
  const noted = (op: 'STREAM_OPEN' | 'STREAM_CLOSE') =>
    person.payloads.some((each) => each.op === op && each.d.stream === `c:${id}`);
  await person.raw.until(() => noted('STREAM_OPEN'));
  expect(person.ops).toContain('COMMUNITY_CREATE');
  await ada.ok(banSchema, 'PUT', `/communities/${id}/bans/${bob.id}`, {});
  await person.raw.until(() => noted('STREAM_CLOSE'));
  await person.until('MEMBER_LEAVE');
  expect(person.one('MEMBER_LEAVE').d).toEqual({ community_id: id, reason: 'banned' });
  await ada.ask('POST', `/communities/${id}/roles`, { name: 'afterwards' });
  await moderator.until('ROLE_CREATE');
  await person.ping();
  expect(person.ops).not.toContain('ROLE_CREATE');
});
