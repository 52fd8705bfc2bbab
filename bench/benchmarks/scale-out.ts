import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { SocketFleet } from '../load/socket-fleet.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { nchan } from '../subjects/nchan.ts';
import { areServersMissing, gatewayProcesses, HEARTH_ON_SERVERS } from '../subjects/servers.ts';

/** The cost of an event with PostgreSQL and Redis, compared with embedded. */
export const FAN_OUT_SERVERS: Benchmark = {
  name: 'fanout-servers',
  about: 'POST /messages to 1,000 sockets of one process, on PostgreSQL and Redis against embedded',
  run: fanOutServers,
};

/** The cost of an event if two processes send it to twice as many sockets. */
export const FAN_OUT_TWO_GATEWAYS: Benchmark = {
  name: 'fanout-two-gateways',
  about: 'POST /messages to 1,000 sockets of each of two gateway processes, against one',
  run: fanOutTwoGateways,
};

/** Two processes should do at least 1.7 times the work of one, so each delivery may cost them this much more. */
const MOST_OF_TWO = 2 / 1.7;

async function* fanOutServers(settings: Settings): AsyncGenerator<Row> {
  if (areServersMissing) return;
  const yardstick = nchan();
  const sockets = mostSockets(settings.isShort ? 50 : 1_000, 3);
  for (const inFlight of [1, 4, 32]) {
    yield* compare(
      {
        work: `fan-out on servers, ${sockets.toLocaleString('en')} sockets, ${inFlight} in flight`,
        operation: 'deliveries',
        measure: 'cpu',
        ours: HEARTH_ON_SERVERS,
        yardsticks: [HEARTH, yardstick],
        goal: { most: 1.3 },
        load: ({ ports }, subject) => {
          const audience = { sockets, isRelayed: subject === yardstick };
          return SocketFleet.connect(ports, audience, { inFlight });
        },
      },
      settings,
    );
  }
}

async function* fanOutTwoGateways(settings: Settings): AsyncGenerator<Row> {
  if (areServersMissing) return;
  const [one, two] = [gatewayProcesses(1), gatewayProcesses(2)];
  const sockets = mostSockets(settings.isShort ? 50 : 1_000, 3);
  for (const inFlight of [1, 4, 32]) {
    yield* compare(
      {
        work: `fan-out of two gateways, ${sockets.toLocaleString('en')} sockets each, ${inFlight} in flight`,
        operation: 'deliveries',
        measure: 'cpu',
        ours: two,
        yardsticks: [one],
        goal: { most: MOST_OF_TWO },
        load: ({ ports }, subject) =>
          SocketFleet.connect(
            ports,
            { sockets: subject === two ? 2 * sockets : sockets },
            { inFlight },
          ),
      },
      settings,
    );
  }
}
