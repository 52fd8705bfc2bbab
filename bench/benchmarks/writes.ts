import { hasPostgres, startPostgres } from '@hearth/testing/servers/postgres-server';
import { join } from 'node:path';
import { LineProcess } from '@hearth/testing/line-process';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { PGBENCH_SCRIPT } from '../load/written-row.ts';
import { median } from '../statistics.ts';
import { temporaryFolder } from '../subjects/left-behind.ts';
import { pgbenchProgram } from '../subjects/programs.ts';

const PROGRAM = join(import.meta.dir, '../load/write-load.ts');

const IN_FLIGHT = [1, 16, 64];

/** Writes for some time, and returns rows per second. */
type Writer = (milliseconds: number) => Promise<number>;

/** A comparison with one number of writers in flight. */
interface Pair {
  readonly engine: string;
  readonly yardstick: string;
  readonly goal: Goal;
  readonly open: (
    resources: AsyncDisposableStack,
    inFlight: number,
  ) => Promise<{ readonly ours: Writer; readonly theirs: Writer }>;
}

const EMBEDDED: Pair = {
  engine: 'embedded',
  yardstick: 'raw group commits of bun:sqlite',
  goal: { least: 0.6 },
  async open(resources, inFlight) {
    const { path } = resources.use(temporaryFolder());
    const start = (engine: string) =>
      startWriter(resources, [engine, join(path, `${engine}.sqlite`), String(inFlight)]);
    return { ours: await start('sqlite'), theirs: await start('raw') };
  },
};

const POSTGRES: Pair = {
  engine: 'on PostgreSQL',
  yardstick: 'pgbench',
  goal: { least: 0.5 },
  async open(resources, inFlight) {
    const server = resources.use(await startPostgres({ isDurable: true }));
    const url = await server.createDatabase();
    const ours = await startWriter(resources, ['postgres', url, String(inFlight)]);
    const { path } = resources.use(temporaryFolder());
    const script = join(path, 'write.sql');
    await Bun.write(script, PGBENCH_SCRIPT);
    return { ours, theirs: (milliseconds) => pgbench({ url, script, inFlight, milliseconds }) };
  },
};

/** Writes rows like those of messages, each in a durable transaction of the database port, with some in flight. */
export const WRITES: Benchmark = {
  name: 'writes',
  about: 'durable transactions of one row through the database port, 1, 16 and 64 in flight',
  async *run(settings) {
    for (const inFlight of IN_FLIGHT) yield* compareWrites(EMBEDDED, inFlight, settings);
    if (!hasPostgres || pgbenchProgram() === undefined) return;
    for (const inFlight of IN_FLIGHT) yield* compareWrites(POSTGRES, inFlight, settings);
  },
};

async function* compareWrites(
  { engine, yardstick, goal, open }: Pair,
  inFlight: number,
  { rounds, sliceMs, warmUpMs }: Settings,
): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const { ours, theirs } = await open(resources, inFlight);
  for (const warm of [ours, theirs]) await warm(warmUpMs);
  const turns: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    turns.push({ ours: await ours(sliceMs), theirs: await theirs(sliceMs) });
  }
  const work = `durable rows ${engine}, ${inFlight} in flight`;
  const unit = 'rows/s';
  yield { work, subject: 'hearth’s database port', unit, value: median(turns.map((t) => t.ours)) };
  yield {
    work,
    subject: yardstick,
    unit,
    value: median(turns.map((turn) => turn.theirs)),
    ratio: median(turns.map((turn) => turn.ours / turn.theirs)),
    goal,
  };
}

async function startWriter(
  resources: AsyncDisposableStack,
  args: readonly string[],
): Promise<Writer> {
  const child = resources.use(new LineProcess(PROGRAM, ...args));
  if ((await child.says()) !== 'ready') throw new Error(`${args.join(' ')}: did not start`);
  return async (milliseconds) => {
    const startedAtMs = performance.now();
    await child.send(String(milliseconds));
    const rows = Number(await child.says());
    if (!(rows > 0)) throw new Error(`${args.join(' ')}: wrote nothing`);
    return rows / ((performance.now() - startedAtMs) / 1_000);
  };
}

interface PgbenchWork {
  readonly url: string;
  readonly script: string;
  readonly inFlight: number;
  readonly milliseconds: number;
}

/** Rows per second. On a busy machine the clients may need more time to connect than the run has; then it runs longer. */
async function pgbench(work: PgbenchWork): Promise<number> {
  let output = '';
  for (
    let seconds = Math.max(1, Math.round(work.milliseconds / 1_000));
    seconds < 60;
    seconds *= 4
  ) {
    output = await runPgbench(work, seconds);
    const [, rate] = /^tps = ([\d.]+) \(without/m.exec(output) ?? [];
    if (rate !== undefined) return Number(rate);
  }
  throw new Error(`pgbench: ${output}`);
}

async function runPgbench(
  { url, script, inFlight }: PgbenchWork,
  seconds: number,
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const options = {
    '-h': hostname,
    '-p': port,
    '-U': username,
    '-f': script,
    '-T': seconds,
    '-c': inFlight,
    '-j': Math.min(inFlight, 2),
    '-M': 'prepared',
  };
  const command = [
    pgbenchProgram() ?? '',
    '-n',
    ...Object.entries(options).flatMap(([name, value]) => [name, String(value)]),
    pathname.slice(1),
  ];
  const env = { PGPASSWORD: decodeURIComponent(password) };
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'ignore' });
  return new Response(child.stdout).text();
}
