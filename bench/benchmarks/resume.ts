import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { ResumeLoad, type ResumeScene } from '../load/resume-load.ts';
import { median } from '../statistics.ts';
import { REPLAY } from '../subjects/gateways.ts';
import { HEARTH } from '../subjects/hearth.ts';

const SCENE: ResumeScene = { clients: 2_000, documented: 50, missed: 500, calmMs: 1_000 };
const SHORT_SCENE: ResumeScene = { clients: 40, documented: 5, missed: 50, calmMs: 50 };

/** A turn is a whole resumption, so it takes longer than other turns. */
const MOST_ROUNDS = 7;

const MICROSECONDS_A_SECOND = 1e6;

/** The cost if all clients of profile 1 lose their connections and come back. */
export const RESUME: Benchmark = {
  name: 'resume',
  about: '2,000 clients of profile 1 come back at once, 500 events later',
  run: resume,
};

async function* resume(settings: Settings): AsyncGenerator<Row> {
  const wanted = settings.isShort ? SHORT_SCENE : SCENE;
  const sockets = mostSockets(wanted.clients + wanted.documented, 2);
  const clients = Math.max(1, sockets - wanted.documented);
  const scene = { ...wanted, clients };
  const who = `${clients.toLocaleString('en')} clients resume`;
  const loads = new Map<string, ResumeLoad[]>();
  yield* compare(
    {
      work: `${who}, some ${scene.missed} events later`,
      operation: 'events',
      measure: 'cpu',
      ours: HEARTH,
      yardsticks: [REPLAY],
      load: async (running, { name }) => {
        const load = await ResumeLoad.connect(running, scene);
        loads.set(name, [...(loads.get(name) ?? []), load]);
        return load;
      },
    },
    { ...settings, rounds: Math.min(settings.rounds, MOST_ROUNDS) },
  );
  for (const [subject, own] of loads) {
    yield* figuresOf(own, scene).map((row) => ({ ...row, work: `${who}: ${row.work}`, subject }));
  }
}

function figuresOf(loads: readonly ResumeLoad[], scene: ResumeScene): Omit<Row, 'subject'>[] {
  // The first resumption of each process is only a warm-up.
  const measured = loads.flatMap(({ figures }) => figures.slice(1));
  const seconds = median(measured.map(({ serverSeconds }) => serverSeconds));
  const worst = (name: string, values: readonly number[]) => {
    return { work: name, value: Math.max(...values), unit: 'ms' };
  };
  return [
    {
      work: 'until all are current',
      value: median(measured.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
    },
    {
      work: 'CPU of the server, and for each client',
      value: seconds,
      unit: 's',
      cpuMicroseconds: (seconds / scene.clients) * MICROSECONDS_A_SECOND,
    },
    worst(
      `worst latency of ${scene.documented} documented listeners`,
      measured.map(({ worstLatencyMs }) => worstLatencyMs),
    ),
    worst(
      'the same before',
      measured.map(({ calmWorstLatencyMs }) => calmWorstLatencyMs),
    ),
    worst(
      'longest halt of the load',
      measured.map(({ longestHaltMs }) => longestHaltMs),
    ),
  ];
}
