import { createServer, type Server } from 'node:net';

// Below the ports that systems assign, and without those that browsers refuse.
const FIRST_BLOCK = 20_000;
const BLOCK_PORTS = 400;
const BLOCKS = 30;

/** The block of ports that this process may assign. Its claim ends with the process. */
let block: Promise<Block> | undefined;

interface Block {
  readonly claim: Server;
  readonly first: number;
  given: number;
}

/**
 * Returns free ports of 127.0.0.1, all different. They are assigned in turn, and only by one process. If the system
 * assigned them, two servers might get the same port, and the second could not start.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await nextPort();
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function nextPort(): Promise<number> {
  block ??= claimBlock();
  const own = await block;
  own.given += 1;
  // The first one is the claim.
  return own.first + 1 + (own.given % (BLOCK_PORTS - 1));
}

/** Listens on the first port of a block for as long as this process runs, so that no other process takes from it. */
async function claimBlock(): Promise<Block> {
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FIRST_BLOCK + ((process.pid + tried) % BLOCKS) * BLOCK_PORTS;
    const claim = await listen(first);
    if (claim !== undefined) return { claim: claim.unref(), first, given: 0 };
  }
  throw new Error('no block of ports is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A server on this port, or undefined if the port is in use. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
