import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TcpRelay } from './tcp-relay.ts';

let server: Bun.Server<undefined>;
let relay: TcpRelay;
let url: string;

beforeEach(async () => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (server.upgrade(request)) return undefined;
      return new Response(request.method === 'POST' ? await request.bytes() : 'hello');
    },
    websocket: { message: (socket, text) => void socket.send(text) },
  });
  relay = await TcpRelay.to(server.port ?? 0);
  url = `http://127.0.0.1:${relay.port}/`;
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await server.stop(true);
});

test('the relay passes requests and sockets on', async () => {
  expect(await (await fetch(url)).text()).toBe('hello');
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  socket.send('echo');
  const echo = await new Promise<unknown>((resolve) =>
    socket.addEventListener('message', ({ data }) => resolve(data), { once: true }),
  );
  expect(echo).toBe('echo');
});

test('a relay that is cut ends its sockets, and refuses new ones until it is mended', async () => {
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  relay.cut();
  await closed;
  expect(await fetch(url).catch(() => 'refused')).toBe('refused');
  relay.mend();
  expect(await (await fetch(url)).text()).toBe('hello');
});

test('a relay that is held passes nothing on, and everything afterwards', async () => {
  relay.hold();
  let isAnswered = false;
  const answer = fetch(url, { method: 'POST', body: new Uint8Array(300_000) }).then(
    async (response) => {
      isAnswered = true;
      return (await response.bytes()).length;
    },
  );
  // Another relay to the same server is not slowed down.
  await using other = await TcpRelay.to(server.port ?? 0);
  for (let i = 0; i < 50; i += 1) await (await fetch(`http://127.0.0.1:${other.port}/`)).text();
  expect(isAnswered).toBe(false);
  relay.mend();
  expect(await answer).toBe(300_000);
});
