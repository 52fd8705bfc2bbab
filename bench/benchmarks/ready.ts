import { accountEventSchema } from '@hearth/protocol/schemas';
import { writeCommunities } from '@hearth/testing/instances/many-communities';
import { writeUsers } from '@hearth/testing/instances/many-users';
import type { Benchmark, Row } from '../benchmark.ts';
import { within } from '../load/within.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';

const BYTES_A_KILOBYTE = 1_000;
const MICROSECONDS_A_SECOND = 1e6;
const MILLISECONDS_A_SECOND = 1e3;
const MOST_MS = 10_000;

/** Clients that connect before anything is measured. */
const FIRST_CLIENTS = 100;

const ROUNDS = 7;
/** The operating system counts processor time in steps, so several clients are one sample. */
const CLIENTS_A_ROUND = 20;

/** The cost of sending somebody all of their communities. */
export const READY: Benchmark = {
  name: 'ready',
  about: 'READY of a member of 50 communities with 20 channels each',
  async *run({ isShort }) {
    const [first, rounds, clients] = isShort ? [1, 1, 2] : [FIRST_CLIENTS, ROUNDS, CLIENTS_A_ROUND];
    let tokens: readonly string[] = [];
    const subject = hearthWith(async (folder) => {
      tokens = await writeUsers(folder, 2);
      await writeCommunities(folder, { communities: 50, channels: 20, membersOf: () => [0, 1] });
    });
    await using running = await subject.start();
    const { gateway } = running.ports;
    for (const [who, token = ''] of [
      ['a member', tokens[1]],
      ['the owner', tokens[0]],
    ] as const) {
      for (let count = 0; count < first; count += 1) await sizeOfReady(gateway, token);
      const samples: number[] = [];
      let bytes = 0;
      for (let round = 0; round < rounds; round += 1) {
        const before = running.cpuSeconds;
        for (let count = 0; count < clients; count += 1) bytes = await sizeOfReady(gateway, token);
        samples.push((running.cpuSeconds - before) / clients);
      }
      yield* rowsOf(who, { seconds: median(samples), bytes });
    }
  },
};

function* rowsOf(
  who: string,
  { seconds, bytes }: { readonly seconds: number; readonly bytes: number },
): Generator<Row> {
  const work = `READY of ${who} of 50 communities with 20 channels`;
  yield {
    work: `${work}, processor time with the connection`,
    subject: 'hearth',
    value: seconds * MILLISECONDS_A_SECOND,
    unit: 'ms',
    cpuMicroseconds: seconds * MICROSECONDS_A_SECOND,
    goal: { most: 10 },
  };
  yield {
    work: `${work}, its size`,
    subject: 'hearth',
    value: bytes / BYTES_A_KILOBYTE,
    unit: 'KB',
    goal: { most: 200 },
  };
}

/** Connects, waits for READY and leaves. Returns its size in bytes. */
async function sizeOfReady(port: number, token: string): Promise<number> {
  const ready = Promise.withResolvers<number>();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?v=2`);
  socket.onmessage = ({ data }) => {
    const text = String(data);
    const { op } = accountEventSchema.parse(JSON.parse(text));
    if (op === 'HELLO') socket.send(JSON.stringify({ op: 'AUTHENTICATE', d: { token } }));
    else if (op === 'READY') ready.resolve(Buffer.byteLength(text));
    else ready.reject(new Error(`not READY: ${text}`));
  };
  socket.onerror = () => ready.reject(new Error('the connection failed'));
  try {
    return await within(MOST_MS, ready.promise, () => 'READY');
  } finally {
    socket.close();
  }
}
