import { fleetRequestSchema, sequenceName, type fleetReportSchema } from './client-fleet.ts';
import type { z } from 'zod';

interface Client {
  sequence: string;
  payloads: number;
  closed?: string;
}

const CONNECTING_AT_ONCE = 100;

const [url = '', size = '0'] = process.argv.slice(2);
const clients: Client[] = Array.from({ length: Number(size) }, () => ({
  sequence: '',
  payloads: 0,
}));
let expected = Infinity;
let stillExpecting = 0;
let connected = clients.length;

process.on('message', (message) => {
  expected = fleetRequestSchema.parse(message).payloads;
  stillExpecting = clients.filter(({ payloads }) => payloads < expected).length;
  if (stillExpecting === 0) report('received', ({ sequence }) => sequence);
});

const waiting = [...clients];
await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connectWaiting));
report('connected', () => 'connected');

async function connectWaiting(): Promise<void> {
  for (let client = waiting.pop(); client !== undefined; client = waiting.pop())
    await connect(client);
}

function connect(client: Client): Promise<void> {
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    client.sequence = sequenceName(client.sequence, String(data));
    client.payloads += 1;
    if (client.payloads !== expected) return;
    stillExpecting -= 1;
    if (stillExpecting === 0) report('received', ({ sequence }) => sequence);
  });
  socket.addEventListener('close', ({ code, reason }) => {
    client.closed = `${code} ${reason}`;
    connected -= 1;
    if (connected === 0) report('closed', ({ closed }) => closed ?? '');
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`cannot connect to ${url}`)));
  });
}

function report(
  about: z.infer<typeof fleetReportSchema>['about'],
  kindOf: (client: Client) => string,
): void {
  const counts: Record<string, number> = {};
  for (const client of clients) counts[kindOf(client)] = (counts[kindOf(client)] ?? 0) + 1;
  process.send?.({ about, clients: counts } satisfies z.infer<typeof fleetReportSchema>);
}
