import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import cases from '../../protocol/test/data/messages.json' with { type: 'json' };
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readValidationError } from '@hearth/testing/clients/read-error';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';

let instance: TestInstance;
let client: GatewayClient;

beforeAll(async () => {
  instance = await startTestInstance();
  client = await GatewayClient.connect(instance.addresses.gateway);
});

afterAll(async () => {
  client.close();
  await instance[Symbol.asyncDispose]();
});

function repeated([unit, times]: readonly (string | number)[]): string {
  return String(unit).repeat(Number(times));
}

function post(message: unknown, to = instance): Promise<Response> {
  return postJson(JSON.stringify(message), to);
}

function postJson(body: string, to = instance): Promise<Response> {
  return fetch(`${to.addresses.rest}/messages`, { method: 'POST', body });
}

/** The reply to a message, and the event that everyone gets, both as raw text. */
async function replyAndEvent(message: unknown): Promise<{ reply: string; event: string }> {
  return replyAndEventTo(JSON.stringify(message));
}

async function replyAndEventTo(json: string): Promise<{ reply: string; event: string }> {
  const before = client.received.length;
  const reply = await (await postJson(json)).text();
  await client.until(() => client.received.length > before);
  expect(client.received).toHaveLength(before + 1);
  return { reply, event: client.received[before] ?? '' };
}

test.each(cases.accepted)(
  '[ME2][ME3][ME4][ME5] $what passes through to the reply and to the event',
  async ({ author, content }) => {
    const message = { author: repeated(author), content: repeated(content) };
    const { reply, event } = await replyAndEvent(message);
    expect(JSON.parse(reply)).toEqual(message);
    expect(event).toBe(`{"op":"MESSAGE_CREATE","d":${reply}}`);
  },
);

test.each(cases.refused)('[ME2][ME3][ME4] $what is refused', async ({ author, content, field }) => {
  const message = { author: repeated(author), content: repeated(content) };
  expect((await readValidationError(await post(message))).field).toBe(field);
});

test.each(cases.halved)('[ME4] $what is refused', async ({ json, field }) => {
  const error = 'must be Unicode text without lone surrogates';
  expect(await readValidationError(await postJson(json))).toEqual({ field, error });
});

test.each(cases.escaped)('[ME4] $what passes through as it is', async (sent) => {
  const { json, author, content } = sent;
  const { reply, event } = await replyAndEventTo(json);
  expect(JSON.parse(reply)).toEqual({ author, content });
  expect(event).toBe(`{"op":"MESSAGE_CREATE","d":${reply}}`);
});

test.each(cases.mistyped)('[ME1] $what is refused', async ({ message, field }) => {
  expect((await readValidationError(await post(message))).field).toBe(field);
});

describe('[ME3] message_limit', () => {
  test.each([1, 3, 5000])('the limit may be %i', async (limit) => {
    const toml = `[oprish]\nmessage_limit = ${limit}\n${GENEROUS_LIMITS}`;
    await using own = await startTestInstance({ toml });
    const answer = (size: number) =>
      post({ author: 'ada', content: '😀'.repeat(size) }, own).then(({ status }) => status);
    const sizes = [0, 1, limit, limit + 1];
    expect(await Promise.all(sizes.map(answer))).toEqual([422, 200, 200, 422]);
    const tooLong = await post({ author: 'ada', content: 'x'.repeat(limit + 1) }, own);
    const error = `must be text of 1 to ${limit} characters`;
    expect(await readValidationError(tooLong)).toEqual({ field: 'content', error });
  });
});

describe('[ME5] a message', () => {
  test('a message passes through unchanged, whatever its texts', async () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc
        .integer({ min: 0, max: 0xffff })
        .map((code) => String.fromCharCode(code))
        .filter((char) => char.isWellFormed()),
    );
    const text = (min: number, max: number) =>
      fc.array(unit, { minLength: min, maxLength: max }).map((units) => units.join(''));
    await fc.assert(
      fc.asyncProperty(text(2, 32), text(1, 60), async (author, content) => {
        const { reply, event } = await replyAndEvent({ author, content });
        expect(JSON.parse(reply)).toEqual({ author, content });
        expect(event).toBe(`{"op":"MESSAGE_CREATE","d":${reply}}`);
      }),
      { numRuns: 60 },
    );
  });

  test('a message is sent without any further fields', async () => {
    const posted: unknown = JSON.parse(
      '{"id":"1","author":"ada","op":"PONG","__proto__":{"author":"eve"},"content":"x","constructor":1,"toString":2,"nested":{"content":"y"}}',
    );
    const { reply, event } = await replyAndEvent(posted);
    expect(reply).toBe('{"author":"ada","content":"x"}');
    expect(event).toBe('{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"x"}}');
  });

  test('[ME1] a message is read by its own fields, not by inherited ones', async () => {
    const posted: unknown = JSON.parse('{"__proto__":{"author":"ada","content":"x"}}');
    expect((await readValidationError(await post(posted))).field).toBe('author');
  });
});
