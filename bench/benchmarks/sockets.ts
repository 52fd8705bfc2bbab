import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { SocketFleet } from '../load/socket-fleet.ts';
import { SocketStorm } from '../load/socket-storm.ts';
import { HEARTH } from '../subjects/hearth.ts';
import type { Subject } from '../subjects/subject.ts';
import { GATEWAYS } from '../subjects/gateways.ts';

const BYTES_A_KILOBYTE = 1_000;

/** Sockets that connect and leave before memory is measured, so that code and caches are not counted as theirs. */
const FIRST_SOCKETS = 100;

/** The cost of a handshake if very many come at once, for example after a restart. */
export const STORM: Benchmark = {
  name: 'storm',
  about: '5,000 sockets that connect as fast as they can',
  run(settings) {
    const sockets = mostSockets(settings.isShort ? 50 : 5_000, 1 + GATEWAYS.length);
    return compare(
      {
        work: `${sockets.toLocaleString('en')} sockets connect at once`,
        operation: 'handshakes',
        measure: 'cpu',
        ours: HEARTH,
        yardsticks: GATEWAYS,
        goal: { most: 1.3 },
        load: async ({ ports }) => new SocketStorm(ports.gateway, sockets),
      },
      settings,
    );
  },
};

/** The memory of a socket that neither sends nor receives anything. */
export const IDLE: Benchmark = {
  name: 'idle',
  about: 'resident memory of 10,000 idle sockets',
  async *run(settings) {
    for (const subject of [HEARTH, ...GATEWAYS]) {
      if (subject !== undefined) yield await idleSockets(subject, settings);
    }
  },
};

async function idleSockets(subject: Subject, { isShort }: Settings): Promise<Row> {
  const sockets = mostSockets(isShort ? 50 : 10_000, 1);
  await using running = await subject.start();
  const connect = (size: number) =>
    SocketFleet.connect(running.ports, { sockets: size }, { inFlight: 1 });
  await (await connect(Math.min(FIRST_SOCKETS, sockets)))[Symbol.asyncDispose]();
  const before = running.residentBytes;
  await using fleet = await connect(sockets);
  // After everyone has received an event, the sockets have everything that they need in memory.
  await fleet.prepare();
  await fleet.run(0);
  const { residentBytes } = running;
  const kilobytes = (residentBytes - before) / sockets / BYTES_A_KILOBYTE;
  return {
    work: `${sockets.toLocaleString('en')} idle sockets`,
    subject: subject.name,
    value: kilobytes,
    unit: 'KB each',
    residentBytes,
    ...(subject === HEARTH ? { goal: { most: 9 } } : {}),
  };
}
