import { createServer } from 'node:net';

/** Sees to it that a port of 127.0.0.1 is in use until it is disposed, by whomever. */
export async function occupied(port: number): Promise<AsyncDisposable> {
  // Whoever connects all the same must not keep it open.
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    // Whoever has it already keeps it, too.
    server.once('error', () => resolve());
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
