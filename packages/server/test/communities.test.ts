import {
  communityListSchema,
  communitySchema,
  nothingSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { LINK_HEADER } from '@hearth/protocol';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';

let instance: TestInstance;
let ada: Awaited<ReturnType<typeof RestPerson.register>>;
let bob: Awaited<ReturnType<typeof RestPerson.register>>;
let visitor: RestPerson;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await RestPerson.register(instance, 'ada');
  bob = await RestPerson.register(instance, 'bob');
  visitor = RestPerson.visitor(instance);
});
afterAll(() => instance[Symbol.asyncDispose]());

test('[CO2][CO3] a community is made and read, by its id and its slug', async () => {
  const made = await ada.garden('Roses', { visibility: 'public' });
  expect(made).toMatchObject({ slug: 'roses', owner_id: ada.id, member_count: 1, join: 'open' });
  for (const person of [ada, bob, visitor]) {
    for (const path of [`/communities/${made.id}`, '/communities/by-slug/ROSES']) {
      expect(await person.ok(communitySchema, 'GET', path)).toMatchObject({ id: made.id });
    }
  }
  const hidden = await ada.garden('hidden');
  for (const person of [bob, visitor]) {
    for (const path of [hidden.id, `by-slug/${hidden.slug}`, '1', 'x', 'by-slug/%00']) {
      expect(await person.refusal('GET', `/communities/${path}`)).toEqual([404]);
    }
  }
});

test('[CO4] a slug that is taken is refused, and nobody makes a community without an account', async () => {
  await ada.garden('taken');
  const given = { name: 'Garden', slug: 'TAKEN' };
  expect(await bob.refusal('POST', '/communities', given)).toEqual([409, 'taken']);
  expect(await visitor.refusal('POST', '/communities', given)).toEqual([401, 'token_invalid']);
  const open = { ...given, slug: 'open', visibility: 'private', join: 'open' };
  expect(await bob.refusal('POST', '/communities', open)).toEqual([422, 'join']);
  for (const slug of ['x', 'by-name', 'a b', '../a', 'a\u0000b', 'é']) {
    expect(await bob.refusal('POST', '/communities', { ...given, slug })).toEqual([422, 'slug']);
  }
});

test('[CO12] public communities are listed in pages, whose addresses are in Link', async () => {
  for (const slug of ['oak', 'elm', 'ash']) {
    await ada.garden(slug, { name: 'Tree', visibility: 'public' });
  }
  const seen: string[] = [];
  let query = '?q=tree&limit=2&sort=members';
  for (let pages = 0; query !== ''; pages += 1) {
    const answer = await visitor.ask('GET', `/communities${query}`);
    const page = communityListSchema.parse(await answer.json());
    seen.push(...page.map(({ slug }) => slug));
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(answer.headers.get(LINK_HEADER) ?? '') ?? [];
    expect(pages).toBeLessThan(3);
    query = next;
  }
  expect(seen.toSorted()).toEqual(['ash', 'elm', 'oak']);
  const own = await ada.ok(communityListSchema, 'GET', '/communities?mine=true&limit=100');
  expect(own.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['hidden', 'oak']));
  expect(await visitor.refusal('GET', '/communities?mine=true')).toEqual([401, 'token_invalid']);
  expect(await visitor.refusal('GET', '/communities?sort=best')).toEqual([422, 'sort']);
});

test('[CO13][CO17][CO18] a community is changed, handed over, deleted and restored', async () => {
  const { id } = await ada.garden('mine', { visibility: 'public' });
  const path = `/communities/${id}`;
  const changed = await ada.ok(communitySchema, 'PATCH', path, { slug: 'ours', tags: ['Roses'] });
  expect(changed).toMatchObject({ slug: 'ours', tags: ['roses'] });
  expect(await bob.refusal('PATCH', path, { name: 'Mine' })).toEqual([403, 'not_member']);
  for (const [field, value] of [
    ['icon', '1'],
    ['join', 'all'],
    ['languages', ['english please']],
    ['tags', ['a', 'A']],
    ['description', '\u0000'],
    ['slug', 'taken'],
  ] as const) {
    const status = field === 'slug' ? [409, 'taken'] : [422, field];
    const refused: readonly unknown[] = await ada.refusal('PATCH', path, { [field]: value });
    expect([field, refused]).toEqual([field, status]);
  }
  await bob.ok(ownCommunitySchema, 'PUT', `${path}/members/me`);
  const proof = { current_password: PASSWORD };
  const handing = { ...proof, user_id: bob.id };
  const handed = await ada.ok(communitySchema, 'PUT', `${path}/owner`, handing);
  expect(handed).toMatchObject({ owner_id: bob.id, member_count: 2 });
  const removal = { ...proof, slug: 'ours' };
  expect(await ada.refusal('DELETE', path, removal)).toEqual([403, 'not_owner']);
  expect(await visitor.refusal('DELETE', path, removal)).toEqual([401, 'token_invalid']);
  expect(await bob.ok(nothingSchema, 'DELETE', path, removal)).toEqual({});
  expect(await ada.refusal('GET', path)).toEqual([404]);
  expect(await ada.refusal('GET', `${path}/roles`)).toEqual([404]);
  expect(await ada.refusal('POST', `${path}/restore`)).toEqual([404]);
  expect(await bob.refusal('POST', `${path}/roles`, { name: 'x' })).toEqual([
    403,
    'community_deleted',
  ]);
  expect(await bob.ok(communitySchema, 'POST', `${path}/restore`)).toMatchObject({ id });
  expect(await ada.ok(communitySchema, 'GET', path)).toMatchObject({ owner_id: bob.id });
});
