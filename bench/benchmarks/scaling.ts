import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { takeTurn, type Sample } from '../compare.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { SocketFleet, type Pace } from '../load/socket-fleet.ts';
import { median, percentile } from '../statistics.ts';
import { HEARTH } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';

/** Enough to keep the server busy all the time. */
const SATURATING: Pace = { inFlight: 32 };

/** The growth of cost and latency with the number of sockets. */
export const SCALING: Benchmark = {
  name: 'scaling',
  about:
    'deliveries a CPU second at 100 to 10,000 sockets, and latency at half the saturating rate',
  async *run(settings) {
    const sizes = settings.isShort ? [20] : [100, 1_000, 5_000, 10_000];
    for (const sockets of new Set(sizes.map((size) => mostSockets(size, 1)))) {
      yield* measure(sockets, settings);
    }
  },
};

interface Measured {
  readonly samples: readonly Sample[];
  /** Milliseconds in all turns together: until each delivery, and until each post's last delivery. */
  readonly all: readonly number[];
  readonly last: readonly number[];
}

async function* measure(sockets: number, settings: Settings): AsyncGenerator<Row> {
  await using running = await HEARTH.start();
  const work = `${sockets.toLocaleString('en')} sockets`;
  const saturated = await takeTurns(running, { sockets, pace: SATURATING }, settings);
  yield efficiency(`${work}, saturated`, saturated);
  const rate = median(saturated.samples.map((sample) => sample.operations / sample.seconds));
  const pace = { postsPerSecond: rate / sockets / 2 };
  const halved = await takeTurns(running, { sockets, pace }, settings);
  yield efficiency(`${work}, half that rate`, halved);
  const about = (name: string, latencies: readonly number[], percent: number): Row => ({
    work: `${work}, half that rate, ${name}`,
    subject: HEARTH.name,
    value: percentile(latencies, percent),
    unit: 'ms',
  });
  yield about('p50', halved.all, 50);
  yield about('p99', halved.all, 99);
  yield about('last client, p50', halved.last, 50);
  yield about('last client, p99', halved.last, 99);
}

async function takeTurns(
  running: RunningSubject,
  { sockets, pace }: { readonly sockets: number; readonly pace: Pace },
  { rounds, sliceMs, warmUpMs }: Settings,
): Promise<Measured> {
  await using fleet = await SocketFleet.connect(running.ports, { sockets }, pace);
  const samples: Sample[] = [];
  const all: number[] = [];
  const last: number[] = [];
  await takeTurn({ running, load: fleet }, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    samples.push(await takeTurn({ running, load: fleet }, sliceMs));
    for (const latency of fleet.latencies.all) all.push(latency);
    last.push(...fleet.latencies.last);
  }
  return { samples, all, last };
}

function efficiency(work: string, { samples }: Measured): Row {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure));
  return {
    work,
    subject: HEARTH.name,
    value: of(({ operations, serverSeconds }) => operations / serverSeconds),
    unit: 'deliveries/CPU s',
    cpuMicroseconds: of(({ operations, serverSeconds }) => (serverSeconds / operations) * 1e6),
    serverCores: of(({ serverSeconds, seconds }) => serverSeconds / seconds),
    loadCores: of(({ cpuSeconds, seconds }) => cpuSeconds / seconds),
  };
}
