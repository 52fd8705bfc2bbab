import { MOST_NONCE_CHARACTERS, type Id } from '@hearth/protocol';
import {
  channelMessageListSchema,
  channelMessageSchema,
  MOST_ALT_CHARACTERS,
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
import { z } from 'zod';

let instance: TestInstance;
let ada: Awaited<ReturnType<typeof RestPerson.register>>;
let bob: Awaited<ReturnType<typeof RestPerson.register>>;
let garden: Id;
let path: string;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await RestPerson.register(instance, 'ada');
  bob = await RestPerson.register(instance, 'bob');
  const { id, channels } = await ada.garden('garden', { visibility: 'public' });
  garden = id;
  path = `/channels/${channels[0]?.id ?? ''}/messages`;
  await bob.ok(ownCommunitySchema, 'PUT', `/communities/${garden}/members/me`);
});
afterAll(() => instance[Symbol.asyncDispose]());

const post = (who: RestPerson, content: string, rest: object = {}) =>
  who.ok(channelMessageSchema, 'POST', path, { content, ...rest });
const list = () => ada.ok(channelMessageListSchema, 'GET', path);

test('[CM1] what cannot be a message is refused, and nothing of it is stored', async () => {
  const before = await list();
  const long = 'x'.repeat(2_049);
  for (const [body, field] of [
    [{}, 'content'],
    [{ content: '' }, 'content'],
    [{ content: long }, 'content'],
    [{ content: '\u0000' }, 'content'],
    [{ content: 5 }, 'content'],
    [{ content: 'x', nonce: 'n'.repeat(MOST_NONCE_CHARACTERS + 1) }, 'nonce'],
    [{ content: 'x', nonce: 'a\u0000' }, 'nonce'],
    [{ content: 'x', reply_to: 'x' }, 'reply_to'],
    [{ content: 'x', reply_to: '1' }, 'reply_to'],
    [{ content: 'x', attachments: [{ id: '1' }] }, 'attachments'],
    [
      { content: 'x', attachments: [{ id: '1', alt: 'x'.repeat(MOST_ALT_CHARACTERS + 1) }] },
      'attachments',
    ],
    [
      { content: 'x', attachments: Array.from({ length: 11 }, (_, id) => ({ id: `${id}` })) },
      'attachments',
    ],
  ] as const) {
    const [status, name] = await bob.refusal('POST', path, body);
    expect([status, String(name).split('.')[0]]).toEqual([422, field]);
  }
  const text = '𝕏'.repeat(2_048);
  expect((await post(bob, text)).content).toBe(text);
  for (const wrong of ['/channels/x/messages', `${path}/x`, `${path}/-1`, `${path}/%00`]) {
    expect(await bob.refusal('GET', wrong)).toEqual([404]);
  }
  expect(await RestPerson.visitor(instance).refusal('POST', path, { content: 'x' })).toEqual([
    401,
    'token_invalid',
  ]);
  expect(await list()).toHaveLength(before.length + 1);
});

test('[CM1][CM3][CM19] people are sent messages, and those who come back are not sent what was deleted', async () => {
  using client = await AccountClient.enter(instance, { token: bob.token });
  const stream = `c:${garden}`;
  const { streams } = client.one('READY').d;
  const first = await post(ada, 'First', { nonce: 'mine' });
  expect(await post(ada, 'First', { nonce: 'mine' })).toEqual(first);
  const reply = await post(ada, 'Reply', { reply_to: first.id });
  const second = await post(ada, 'Second');
  await client.raw.until(() => client.eventsOf(stream).length === 3);
  const created = client.payloads.filter(({ op }) => op === 'MESSAGE_CREATE');
  expect(created).toMatchObject([
    { t: stream, d: { ...first, nonce: 'mine' } },
    { t: stream, d: reply },
    { t: stream, d: second },
  ]);
  const ids = [first.id, second.id];
  await ada.ok(z.unknown(), 'POST', `${path}/delete-many`, { ids });
  await client.raw.until(() => client.eventsOf(stream).length === 4);
  using back = await AccountClient.enter(instance, { token: bob.token, resume: streams });
  await back.raw.until(() => back.eventsOf(stream).length === 4);
  const text = JSON.stringify(back.payloads);
  expect(text).toContain('Reply');
  expect(text).not.toContain('First');
  expect(text).not.toContain('Second');
  expect(back.ops.filter((op) => op === 'MESSAGE_DELETE_MANY')).toHaveLength(3);
});
