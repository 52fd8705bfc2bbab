import { expect, test } from 'bun:test';
import { KeepAlive } from './keep-alive.ts';

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
