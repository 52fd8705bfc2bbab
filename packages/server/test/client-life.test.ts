/** Follows the chapter for client authors that shows the life of a client, step by step. */
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { z } from 'zod';
import { OPEN } from './support/api-samples.ts';

const CHAPTER = join(import.meta.dirname, '../../../docs/api/client.md');
const PASSWORD = 'correct horse battery';

const idSchema = z.object({ id: z.string() });
const payloadSchema = z.looseObject({ op: z.string(), d: z.unknown() });

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance(OPEN);
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Returns whether `real` has everything that `shown` has, with values of the same types. */
function hasAll(real: unknown, shown: unknown): boolean {
  if (Array.isArray(shown)) {
    return Array.isArray(real) && shown.every((each, at) => hasAll(real[at], each));
  }
  if (typeof shown !== 'object' || shown === null) return typeof real === typeof shown;
  if (typeof real !== 'object' || real === null) return false;
  return Object.entries(shown).every(([name, value]) => hasAll(Reflect.get(real, name), value));
}

test('[HT16] a client that follows the chapter reads, posts and follows a channel, and resumes', async () => {
  const { rest, gateway } = instance.addresses;
  let token = '';
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers: Record<string, string> =
      token === '' ? {} : { Authorization: `Bearer ${token}` };
    const init =
      body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(rest + path, init);
    expect([method, path, answer.status]).toEqual([method, path, 200]);
    return answer.json();
  };
  const register = (username: string) =>
    ask('POST', '/users', { username, email: `${username}@example.org`, password: PASSWORD });
  await register('ada');
  const signedIn = await ask('POST', '/auth', { username: 'ada', password: PASSWORD });
  ({ token } = z.object({ token: z.string() }).parse(signedIn));
  const { user, session } = z.object({ user: idSchema, session: idSchema }).parse(signedIn);
  const made = await ask('POST', '/communities', {
    name: 'Garden',
    slug: 'garden',
    visibility: 'public',
  });
  const community = idSchema.extend({ channels: z.array(idSchema) }).parse(made);
  const channelId = community.channels[0]?.id ?? '';
  const messages = `/channels/${channelId}/messages`;
  const first = idSchema.parse(await ask('POST', messages, { content: 'Hello' }));
  const mark = (id: string) => ask('PUT', `/channels/${channelId}/read`, { last_read_id: id });
  await mark(first.id);

  const chapter = (await Bun.file(CHAPTER).text())
    .replaceAll('<community_id>', community.id)
    .replaceAll('<user_id>', user.id)
    .replaceAll('<channel_id>', channelId)
    .replaceAll('<session_id>', session.id)
    .replaceAll('<token>', token);
  const shown = [...chapter.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) =>
    payloadSchema.parse(JSON.parse(text)),
  );
  const [hello, authenticate, ready, created, resume, resumed] = shown;
  const connect = async () => {
    const client = await GatewayClient.connect(`${gateway}?v=2`);
    const payloads = () => client.received.map((text) => payloadSchema.parse(JSON.parse(text)));
    const received = async (op: string) => {
      await client.until(() => payloads().some((each) => each.op === op));
      return payloads().find((each) => each.op === op);
    };
    return { client, received };
  };

  const { client, received } = await connect();
  expect(hasAll(await received('HELLO'), hello)).toBe(true);
  client.send(JSON.stringify(authenticate));
  const begun = await received('READY');
  expect(hasAll(begun, ready)).toBe(true);
  expect(await ask('GET', `${messages}?limit=50`)).toMatchObject([{ id: first.id }]);
  const posted = idSchema.parse(await ask('POST', messages, { content: 'Hello', nonce: 'a1b2c3' }));
  expect(await ask('POST', messages, { content: 'Hello', nonce: 'a1b2c3' })).toMatchObject(posted);
  const event = await received('MESSAGE_CREATE');
  expect(hasAll(event, created)).toBe(true);
  expect(event).toMatchObject({ t: `c:${community.id}`, d: { ...posted, nonce: 'a1b2c3' } });
  const own = token;
  token = '';
  ({ token } = z.object({ token: z.string() }).parse(await register('bob')));
  await ask('PUT', `/communities/${community.id}/members/me`);
  const answer = idSchema.parse(await ask('POST', messages, { content: 'Hello, Ada' }));
  token = own;
  await client.until(() => client.received.some((text) => text.includes('Hello, Ada')));
  await mark(answer.id);
  expect(await received('READ_UPDATE')).toMatchObject({ d: { last_read_id: answer.id } });
  client.close();
  await client.closed;

  const { streams } = z.object({ streams: z.record(z.string(), z.unknown()) }).parse(begun?.d);
  const { d } = z.object({ d: z.object({ resume: z.object({}).loose() }).loose() }).parse(resume);
  expect(Object.keys(d.resume).toSorted()).toEqual(
    Object.keys(streams)
      .filter((name) => !name.startsWith('m:'))
      .toSorted(),
  );
  await ask('POST', messages, { content: 'Missed' });
  const again = await connect();
  await again.received('HELLO');
  again.client.send(JSON.stringify({ op: 'AUTHENTICATE', d: { token, resume: streams } }));
  const continued = await again.received('RESUMED');
  expect(continued?.d).toMatchObject({ lost: [] });
  expect(Object.keys(resumed?.d ?? {})).toEqual(Object.keys(continued?.d ?? {}));
  await again.client.until(() => again.client.received.some((text) => text.includes('Missed')));
  again.client.close();
});
