import { createServer } from 'node:net';

/** Makes sure that a port of 127.0.0.1 is in use until disposal, by this process or another one. */
export async function occupied(port: number): Promise<AsyncDisposable> {
  // A client that connects must not keep it open.
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    // If another process already has the port, it is in use as well.
    server.once('error', () => resolve());
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
