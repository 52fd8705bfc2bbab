import { expect, test } from 'bun:test';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { freePorts } from '@hearth/testing/free-ports';
import { serveHttp } from './http-server.ts';
import { ServedService } from './served-service.ts';

// Pins the runtime's behaviour, not what we want: if both requests are answered here, oven-sh/bun#38128 is fixed. Then
// expect the two answers in their order, and let HT8 promise them.
test('[HT8] the runtime cuts a connection if a request follows one whose answer has to wait', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const [port = 0] = await freePorts(1);
  const listener = serveHttp({
    hostname: '127.0.0.1',
    port,
    service: new ServedService({
      silenceSeconds: 10,
      unreadSeconds: 10,
      mostRequests: Infinity,
      onCrowd: () => new Response(),
    }),
    handle: async () => {
      begin();
      await released;
      return new Response('late');
    },
    onFault: () => new Response(),
  });
  try {
    using connection = await RawConnection.connect(`http://127.0.0.1:${port}`);
    await connection.send(requestLines('GET', '/').repeat(2));
    await began;
    expect(await connection.rest()).toBe('');
  } finally {
    release();
    await listener.terminate();
  }
});

test('[SC42] nothing is done for a client that leaves while it waits for its turn', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const [port = 0] = await freePorts(1);
  const service = new ServedService({
    silenceSeconds: 10,
    unreadSeconds: 10,
    mostRequests: Infinity,
    onCrowd: () => new Response(),
  });
  const came = Promise.withResolvers<void>();
  // All requests wait until one of their clients has left.
  service.turns.wait = async (request: Request) => {
    request.signal.addEventListener('abort', () => leave());
    if (request.url.endsWith('/leaves')) came.resolve();
    await left;
    return { [Symbol.dispose]: () => {} };
  };
  const handled: string[] = [];
  const listener = serveHttp({
    hostname: '127.0.0.1',
    port,
    service,
    handle: ({ url }, { address }) => {
      handled.push(new URL(url).pathname, address);
      return new Response('answered');
    },
    onFault: () => new Response(),
  });
  try {
    const stays = fetch(`http://127.0.0.1:${port}/stays`, { method: 'POST' });
    {
      using connection = await RawConnection.connect(`http://127.0.0.1:${port}`);
      await connection.send(requestLines('POST', '/leaves', 'Content-Length: 0'));
      await came.promise;
    }
    expect(await (await stays).text()).toBe('answered');
    expect(handled).toEqual(['/stays', '127.0.0.1']);
  } finally {
    await listener.terminate();
  }
});
