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

test('[SC41] a request whose client leaves while it waits for its turn counts for the address of the client', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>();
  const { promise: address, resolve: know } = Promise.withResolvers<string>();
  const [port = 0] = await freePorts(1);
  const service = new ServedService({
    silenceSeconds: 10,
    unreadSeconds: 10,
    mostRequests: Infinity,
    onCrowd: () => new Response(),
  });
  service.turns.wait = (request: Request) => {
    const { promise: left, resolve: leave } = Promise.withResolvers<Disposable>();
    request.signal.addEventListener('abort', () => leave({ [Symbol.dispose]: () => {} }));
    come();
    return left;
  };
  const listener = serveHttp({
    hostname: '127.0.0.1',
    port,
    service,
    handle: (_, peer) => {
      know(peer.address);
      return new Response();
    },
    onFault: () => new Response(),
  });
  try {
    {
      using connection = await RawConnection.connect(`http://127.0.0.1:${port}`);
      await connection.send(requestLines('POST', '/', 'Content-Length: 0'));
      await came;
    }
    expect(await address).toBe('127.0.0.1');
  } finally {
    await listener.terminate();
  }
});
