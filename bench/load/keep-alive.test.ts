import { expect, test } from 'bun:test';
import { KeepAlive } from './keep-alive.ts';
import { MESSAGE_BODY_WITH_NONCE, renewNonce } from './message.ts';

const ANSWER = Buffer.alloc(300_000, 'a file that comes in many pieces ');

/** The outcome of one request to a server that answers with these bytes. */
async function outcome(body: Uint8Array<ArrayBuffer>): Promise<string> {
  await using server = Bun.serve({ port: 0, fetch: () => new Response(body) });
  const { promise, resolve } = Promise.withResolvers<string>();
  using connection = new KeepAlive(
    { method: 'GET', port: server.port ?? 0, path: '/', answer: ANSWER },
    { answer: () => resolve('answered'), fault: ({ message }) => resolve(message) },
  );
  await connection.connect();
  connection.send();
  return await promise;
}

test('the expected answer is accepted', async () => {
  expect(await outcome(new Uint8Array(ANSWER))).toBe('answered');
});

test('an answer that differs in its last byte is reported as a fault', async () => {
  const wrong = new Uint8Array(ANSWER);
  wrong[wrong.length - 1] = 0;
  expect(await outcome(wrong)).toStartWith('a wrong answer');
});

test('an answer of another length is reported as a fault', async () => {
  expect(await outcome(new Uint8Array(ANSWER.subarray(1)))).toStartWith(
    'an answer of 299999 bytes',
  );
});

test('each request has another nonce', async () => {
  const bodies: string[] = [];
  const done = Promise.withResolvers<void>();
  await using server = Bun.serve({
    port: 0,
    async fetch(request) {
      bodies.push(await request.text());
      return new Response();
    },
  });
  const request = { method: 'POST', port: server.port ?? 0, path: '/' } as const;
  using connection = new KeepAlive(
    { ...request, body: MESSAGE_BODY_WITH_NONCE, renew: renewNonce },
    {
      answer: (self) => (bodies.length < 2 ? self.send() : done.resolve()),
      fault: done.reject,
    },
  );
  await connection.connect();
  connection.send();
  await done.promise;
  const zeros = bodies.map((body) => body.replace(/[0-9a-f]{32}/, '0'.repeat(32)));
  expect(zeros).toEqual([MESSAGE_BODY_WITH_NONCE, MESSAGE_BODY_WITH_NONCE]);
  expect(new Set([MESSAGE_BODY_WITH_NONCE, ...bodies]).size).toBe(3);
});
