import { connect, createServer, type Socket } from 'node:net';

/** A proxy of TCP connections that a test can break in the ways in which networks do. */
export interface Cutter extends AsyncDisposable {
  /** The given address with the proxy's port. */
  readonly url: string;
  /** Connections that were made through it. */
  readonly connections: number;
  /** Breaks all connections. */
  cut(): void;
  /** From now on nothing passes in either direction, and neither side is notified. */
  freeze(): void;
  /** New connections are refused, or accepted again. */
  refuse(isRefusing: boolean): void;
  /** Traffic passes again from now on; frozen traffic is lost. */
  thaw(): void;
}

/** Stands in front of the TCP port of `url`. */
export async function startCutter(url: string): Promise<Cutter> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let connections = 0;
  let isRefusing = false;
  let isFrozen = false;
  const server = createServer((near) => {
    connections += 1;
    if (isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isFrozen) other.destroy();
      });
      socket.on('data', (chunk) => {
        if (!isFrozen && !other.write(chunk)) socket.pause();
      });
      socket.on('drain', () => other.resume());
      socket.on('end', () => {
        if (!isFrozen) other.end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has a port');
  const near = new URL(url);
  near.port = String(address.port);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: near.href.replace(/\/$/, ''),
    get connections() {
      return connections;
    },
    cut,
    freeze: () => void (isFrozen = true),
    thaw: () => void (isFrozen = false),
    refuse: (isOn) => void (isRefusing = isOn),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
