import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { AVERAGE_EVENT } from '../load/message.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { SocketFleet } from '../load/socket-fleet.ts';
import { AVERAGE_PUBLISH, GATEWAYS } from '../subjects/gateways.ts';
import { HEARTH, HEARTH_AT_WEB_PORT } from '../subjects/hearth.ts';

/** The cost of an event for each listener that receives it. */
export const FAN_OUT: Benchmark = {
  name: 'fanout',
  about: 'POST /messages to 1,000 and 5,000 sockets, 1, 4 and 32 posts in flight',
  run: fanOut,
};

/** Fan-out with every second socket on profile 1, whose events are longer and need a second text. */
export const FAN_OUT_PROFILES: Benchmark = {
  name: 'fanout-profiles',
  about: 'POST /messages to 1,000 sockets, half of them of gateway profile 1',
  run: fanOutProfiles,
};

/** Fan-out at the port of the web client, which has the gateway too. */
export const FAN_OUT_WEB_PORT: Benchmark = {
  name: 'fanout-web-port',
  about:
    'POST /messages to 1,000 sockets, half of them or all at the web port, against the own ports',
  run: fanOutWebPort,
};

async function* fanOut(settings: Settings): AsyncGenerator<Row> {
  const sizes = settings.isShort ? [50] : [1_000, 5_000];
  for (const sockets of new Set(sizes.map((size) => mostSockets(size, 1 + GATEWAYS.length)))) {
    for (const inFlight of [1, 4, 32]) {
      yield* compare(
        {
          work: `fan-out, ${sockets.toLocaleString('en')} sockets, ${inFlight} in flight`,
          operation: 'deliveries',
          measure: 'cpu',
          ours: HEARTH,
          yardsticks: GATEWAYS,
          goal: { most: 1.1 },
          load: ({ ports }) => SocketFleet.connect(ports, { sockets }, { inFlight }),
        },
        settings,
      );
    }
  }
}

async function* fanOutProfiles(settings: Settings): AsyncGenerator<Row> {
  const sockets = mostSockets(settings.isShort ? 50 : 1_000, 2);
  const ofYardstick = { sockets, event: AVERAGE_EVENT };
  const ofOurs = { sockets, profiled: Math.floor(sockets / 2) };
  for (const inFlight of [1, 4, 32]) {
    yield* compare(
      {
        work: `fan-out, ${sockets.toLocaleString('en')} sockets, half of profile 1, ${inFlight} in flight`,
        operation: 'deliveries',
        measure: 'cpu',
        ours: HEARTH,
        yardsticks: [AVERAGE_PUBLISH],
        goal: { most: 1.1 },
        load: ({ ports }, subject) =>
          SocketFleet.connect(ports, subject === HEARTH ? ofOurs : ofYardstick, { inFlight }),
      },
      settings,
    );
  }
}

async function* fanOutWebPort(settings: Settings): AsyncGenerator<Row> {
  const sockets = mostSockets(settings.isShort ? 50 : 1_000, 2);
  for (const atWebPort of ['half', 'all'] as const) {
    for (const inFlight of [1, 32]) {
      yield* compare(
        {
          work: `fan-out, ${sockets.toLocaleString('en')} sockets, ${atWebPort} at the web port, ${inFlight} in flight`,
          operation: 'deliveries',
          measure: 'cpu',
          ours: HEARTH_AT_WEB_PORT,
          yardsticks: [HEARTH],
          goal: { most: 1.1 },
          load: ({ ports }, subject) => {
            const audience = subject === HEARTH ? { sockets } : { sockets, atWebPort };
            return SocketFleet.connect(ports, audience, { inFlight });
          },
        },
        settings,
      );
    }
  }
}
