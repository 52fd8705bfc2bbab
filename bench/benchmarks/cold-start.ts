import { homedir } from 'node:os';
import { freePorts } from '@hearth/testing/free-ports';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { KeepAlive } from '../load/keep-alive.ts';
import { median } from '../statistics.ts';
import { environment, START_ARGUMENTS } from '../subjects/hearth.ts';
import { endWith, temporaryFolder } from '../subjects/left-behind.ts';

/** A start without an answer for this many milliseconds has failed. */
const GIVE_UP_MS = 60_000;

const POLL_MS = 1;

const SHORT_ROUNDS = 2;

/** A program that is started, and measured until it answers. */
interface Starter {
  readonly name: string;
  readonly goal?: Goal;
  /** The arguments of the runtime, which has `folder` as its working directory. */
  readonly command: (port: number) => readonly string[];
  /** True if every start finds an empty folder, like the first one. */
  readonly isAlwaysFirst: boolean;
}

const HEARTH: Starter = {
  name: 'hearth, started before',
  command: () => START_ARGUMENTS,
  isAlwaysFirst: false,
};

const FIRST_HEARTH: Starter = {
  name: 'hearth, very first start',
  command: HEARTH.command,
  isAlwaysFirst: true,
};

const YARDSTICK: Starter = {
  name: 'bun -e of an empty Bun.serve',
  goal: { most: 10 },
  command: (port) => [
    '-e',
    `Bun.serve({ hostname: '127.0.0.1', port: ${port}, fetch: () => new Response('ok') })`,
  ],
  isAlwaysFirst: false,
};

/** Measures from the start of the process to the last byte of the first answer to `GET /`. */
export const COLD_START: Benchmark = {
  name: 'cold-start',
  about: 'start of the process to its first answer, of GET /',
  run: measureStarts,
};

async function* measureStarts(settings: Settings): AsyncGenerator<Row> {
  using home = temporaryFolder();
  const starters = [HEARTH, FIRST_HEARTH, YARDSTICK];
  const times = new Map(starters.map((starter) => [starter, Array.of<number>()]));
  // A program that is started again has run before, and everything has been read from the disk once.
  for (const starter of starters) await start(starter, home.path);
  const rounds = settings.isShort ? SHORT_ROUNDS : settings.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? starters : starters.toReversed();
    for (const starter of order) times.get(starter)?.push(await start(starter, home.path));
  }
  const ours = times.get(HEARTH) ?? [];
  for (const [starter, own] of times) yield row(starter, own, ours);
}

function row(starter: Starter, own: readonly number[], ours: readonly number[]): Row {
  const ratios = starter === HEARTH ? [] : ours.map((time, round) => time / (own[round] ?? 0));
  return {
    work: COLD_START.about,
    subject: starter.name,
    value: median(own),
    unit: 'ms',
    ...(ratios.length === 0 ? {} : { ratio: median(ratios) }),
    ...(starter.goal === undefined ? {} : { goal: starter.goal }),
  };
}

/** Milliseconds from the start of the process to its first answer; the process has ended when this resolves. */
async function start(starter: Starter, home: string): Promise<number> {
  await using resources = new AsyncDisposableStack();
  const { path: cwd } = starter.isAlwaysFirst ? resources.use(temporaryFolder()) : { path: home };
  const [rest = 0, gateway = 0, files = 0, web = 0] = await freePorts(4);
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...starter.command(rest)], {
    cwd,
    env: {
      // The runtime caches compiled sources there.
      HOME: homedir(),
      ...environment({ rest, gateway, files }, web),
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  endWith(resources, child);
  // This also cuts a connection that the process holds without answering.
  const giveUp = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  try {
    while (child.exitCode === null && child.signalCode === null) {
      if (await isAnswered(rest)) return performance.now() - startedAt;
      await Bun.sleep(POLL_MS);
    }
    throw new Error(`${starter.name} did not answer (exit code ${child.exitCode})`);
  } finally {
    clearTimeout(giveUp);
  }
}

/** Resolves with whether the port is open, after the answer to `GET /`. Throws if that is not a 200. */
async function isAnswered(port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const events = { answer: () => resolve(), fault: reject };
  using connection = new KeepAlive({ method: 'GET', port, path: '/' }, events);
  const isOpen = await connection.connect().then(
    () => true,
    () => false,
  );
  if (!isOpen) return false;
  connection.send();
  await promise;
  return true;
}
