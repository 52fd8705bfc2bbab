import { communitySchema } from '@hearth/protocol/schemas';
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
