import { expect, test } from 'bun:test';
import { AskingSocket, isAcknowledged, type Outcome } from './asking-socket.ts';

const ASKED = { method: 'POST', path: '/', body: '{}' } as const;

/** The outcome of a request that is answered by each of `answers` in turn; undefined cuts the connection. */
async function outcome(answers: readonly (Response | undefined)[]): Promise<Outcome> {
  let asked = 0;
  await using server = Bun.serve({
    port: 0,
    fetch() {
      const answer = answers[asked];
      asked += 1;
      if (answer !== undefined) return answer;
      void server.stop(true);
      return new Promise(() => {});
    },
  });
  using socket = new AskingSocket(server.port ?? 0);
  await socket.connect();
  return await socket.insist(ASKED);
}

function refused(): Response {
  return Response.json({ status: 429, data: { retry_after: 1 } }, { status: 429 });
}

test('an answer has its status and its body', async () => {
  const text = 'a body that comes in many pieces '.repeat(10_000);
  expect(await outcome([new Response(text, { status: 500 })])).toMatchObject({
    status: 500,
    body: text,
    refusals: 0,
  });
});

test('a request that is refused for now is repeated', async () => {
  const repeated = await outcome([refused(), new Response(null, { status: 204 })]);
  expect(repeated).toMatchObject({ status: 204, body: '', refusals: 1 });
  expect(isAcknowledged(repeated)).toBe(true);
});

test('a request is not repeated later than it may be', async () => {
  await using server = Bun.serve({ port: 0, fetch: refused });
  using socket = new AskingSocket(server.port ?? 0);
  expect(await socket.insist(ASKED, performance.now())).toMatchObject({ status: 429, refusals: 0 });
});

test('a connection that is cut is an answer without a status', async () => {
  expect(await outcome([undefined])).toMatchObject({ status: 0, body: '' });
});
