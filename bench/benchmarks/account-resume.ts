import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { AccountSockets } from '../load/account-sockets.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { median } from '../statistics.ts';
import { moveUsers } from '../subjects/moved-users.ts';
import { QueryCounter } from '../subjects/query-counter.ts';
import { areServersMissing, gatewayProcesses } from '../subjects/servers.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const MICROSECONDS_A_SECOND = 1e6;
const ROUNDS = 5;

/** Clients that connect, resume and leave before anything is measured. */
const FIRST_CLIENTS = 200;

/** The time that the gateways are watched while nothing happens; timers run at least once in it. */
const IDLE_MS = 10_000;

/** The time in which a gateway has to notice that connections are cut. */
const CUT_MS = 100;

/** The cost of one of the resumptions. */
interface Sample {
  readonly milliseconds: number;
  readonly seconds: number;
  readonly queries: number;
}

/** The number of queries if people with an account come back. */
export const ACCOUNT_RESUME: Benchmark = {
  name: 'account-resume',
  about: 'queries while 2,000 sockets of profile 2 resume at their gateway process, and at another',
  run: accountResume,
};

async function* accountResume({ isShort }: Settings): AsyncGenerator<Row> {
  if (areServersMissing) return;
  const [first, clients, rounds] = isShort
    ? [10, 20, 1]
    : [FIRST_CLIENTS, mostSockets(2_000, 1), ROUNDS];
  await using resources = new AsyncDisposableStack();
  let tokens: readonly string[] = [];
  let counter: QueryCounter | undefined;
  const subject = gatewayProcesses(2, {
    async prepare(url) {
      tokens = await moveUsers(url, first + rounds * clients);
    },
    async gatewayDatabase(url) {
      counter ??= resources.use(await QueryCounter.to(url));
      return counter.url;
    },
  });
  await using running = await subject.start();
  if (counter === undefined) throw new Error('the gateways have no database');
  const load = { running, counter };
  await comeBack(load, tokens.slice(0, first));
  if (!isShort) await counter.ignoreIdle(IDLE_MS);
  const samples: Awaited<ReturnType<typeof comeBack>>[] = [];
  // A gateway remembers whom it has let in, so every round has clients of its own.
  for (let from = first; from < tokens.length; from += clients) {
    samples.push(await comeBack(load, tokens.slice(from, from + clients)));
  }
  const places = [
    { where: 'at their gateway process', samples: samples.map(({ own }) => own), most: 0 },
    { where: 'at another gateway process', samples: samples.map(({ other }) => other), most: 100 },
  ];
  for (const place of places) yield* rowsOf(place, { clients, subject: subject.name });
}

/** Clients connect to one gateway, are cut, resume there, are cut again and resume at the other. */
async function comeBack(load: Load, tokens: readonly string[]) {
  const [one = 0, two = 0] = load.running.ports.gateways ?? [];
  await using fleet = await AccountSockets.connect(one, tokens);
  const own = await measure(load, fleet, one);
  const other = await measure(load, fleet, two);
  // It does not know them, so it has to ask who they are.
  if (other.queries === 0) throw new Error('the queries were not counted');
  return { own, other };
}

interface Load {
  readonly running: RunningSubject;
  readonly counter: QueryCounter;
}

async function measure(
  { running, counter }: Load,
  fleet: AccountSockets,
  port: number,
): Promise<Sample> {
  fleet.throwOut();
  await Bun.sleep(CUT_MS);
  const [cpuBefore, queriesBefore, startedAt] = [
    running.cpuSeconds,
    counter.queries,
    performance.now(),
  ];
  await fleet.resume(port);
  return {
    milliseconds: performance.now() - startedAt,
    seconds: running.cpuSeconds - cpuBefore,
    queries: counter.queries - queriesBefore,
  };
}

function* rowsOf(
  {
    where,
    samples,
    most,
  }: { readonly where: string; readonly samples: readonly Sample[]; readonly most: number },
  { clients, subject }: { readonly clients: number; readonly subject: string },
): Generator<Row> {
  const work = `${clients.toLocaleString('en')} clients of profile 2 resume ${where}`;
  const seconds = median(samples.map((sample) => sample.seconds));
  yield {
    work: `${work}, the most of any round`,
    subject,
    value: Math.max(...samples.map(({ queries }) => queries)),
    unit: 'queries',
    goal: { most },
  };
  yield {
    work,
    subject,
    value: median(samples.map(({ milliseconds }) => milliseconds)),
    unit: 'ms',
    cpuMicroseconds: (seconds / clients) * MICROSECONDS_A_SECOND,
  };
}
