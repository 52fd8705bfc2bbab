import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { takeTurn, type Load, type Sample } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { MESSAGE_BODY, MESSAGE_BODY_WITH_NONCE, renewNonce } from '../load/message.ts';
import { median, percentile } from '../statistics.ts';
import { HEARTH } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const CONNECTIONS = 32;
const MICROSECONDS_A_SECOND = 1e6;

/** The number of sign-ins that wait at a time. */
const SIGN_INS_WAITING = 200;

/** The time in milliseconds that a post may take beside them, besides twice as long. */
const MORE_MS = 10;

const ACCOUNT = {
  username: 'ada',
  email: 'ada@example.org',
  password: 'correct horse battery',
};

const SIGN_IN = JSON.stringify({ username: ACCOUNT.username, password: ACCOUNT.password });

interface Compared {
  readonly what: string;
  readonly bare: Omit<HttpRequest, 'port'>;
  /** Parts of the request besides the token. */
  readonly more?: Pick<HttpRequest, 'body' | 'renew'>;
  readonly subject?: string;
}

const POST = { method: 'POST', path: '/messages', body: MESSAGE_BODY } as const;

const REQUESTS: readonly Compared[] = [
  { what: 'GET /', bare: { method: 'GET', path: '/' } },
  { what: 'a page of 50 messages', bare: { method: 'GET', path: '/messages?limit=50' } },
  { what: 'POST /messages', bare: POST },
  {
    what: 'POST /messages',
    bare: POST,
    more: { body: MESSAGE_BODY_WITH_NONCE, renew: renewNonce },
    subject: 'with a token and a nonce',
  },
];

interface Lane {
  readonly load: Load;
  readonly samples: Sample[];
}

/** Compares requests with a token and without, to one process. */
export const TOKENS: Benchmark = {
  name: 'tokens',
  about: 'requests with a token, against the same without',
  async *run(settings) {
    await using resources = new AsyncDisposableStack();
    const running = resources.use(await HEARTH.start());
    const port = running.ports.rest;
    const authorization = `Bearer ${await register(port)}`;
    for (const { what, bare: request, more, subject = 'with a token' } of REQUESTS) {
      const laneOf = (sent: Omit<HttpRequest, 'port'>): Lane => ({
        load: resources.use(new HttpLoad({ ...sent, port }, CONNECTIONS)),
        samples: [],
      });
      const bare = laneOf(request);
      const withToken = laneOf({ ...request, ...more, headers: { authorization } });
      await takeTurns(running, [bare, withToken], settings);
      yield rowOf(what, 'without a token', bare);
      const ratios = withToken.samples.map((sample, at) => cpuOf(sample) / cpuOf(bare.samples[at]));
      yield {
        ...rowOf(what, subject, withToken),
        ratio: median(ratios),
        goal: { most: 1.15 },
      };
    }
  },
};

async function takeTurns(
  running: RunningSubject,
  lanes: readonly Lane[],
  { rounds, sliceMs, warmUpMs }: Settings,
): Promise<void> {
  for (const { load } of lanes) {
    await load.prepare();
    await load.run(warmUpMs);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { load, samples } of lanes) samples.push(await takeTurn({ running, load }, sliceMs));
  }
}

/** Compares the time of posts while many sign-ins wait with that without. */
export const SIGN_INS: Benchmark = {
  name: 'sign-ins',
  about: `the slowest of 100 posts, while ${SIGN_INS_WAITING} sign-ins wait`,
  async *run(settings) {
    await using running = await HEARTH.start();
    const { rest: port } = running.ports;
    await register(port);
    await postFor(port, settings.warmUpMs);
    const [quiet, busy]: [number[], number[]] = [[], []];
    for (let round = 0; round < settings.rounds; round += 1) {
      quiet.push(...(await postFor(port, settings.sliceMs)));
      await using _storm = await signInStorm(port, settings);
      busy.push(...(await postFor(port, settings.sliceMs)));
    }
    const [before, during] = [percentile(quiet, 99), percentile(busy, 99)];
    const work = 'POST /messages one after another, p99';
    yield { work, subject: 'hearth', value: before, unit: 'ms' };
    yield {
      work,
      subject: `hearth while ${SIGN_INS_WAITING} sign-ins wait`,
      value: during,
      unit: 'ms',
      goal: { most: before * 2 + MORE_MS },
    };
  },
};

async function register(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/users`, {
    method: 'POST',
    body: JSON.stringify(ACCOUNT),
  });
  const { token }: { readonly token?: string } = await answer.json();
  if (token === undefined) throw new Error(`registering was answered with ${answer.status}`);
  return token;
}

/** Keeps so many sign-ins waiting until it is disposed. Resolves when the first one is answered. */
async function signInStorm(port: number, { isShort }: Settings): Promise<AsyncDisposable> {
  const end = new AbortController();
  const first = Promise.withResolvers<void>();
  const signIn = async () => {
    while (!end.signal.aborted) {
      const answer = await fetch(`http://127.0.0.1:${port}/auth`, {
        method: 'POST',
        body: SIGN_IN,
      });
      await answer.body?.cancel();
      if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.status}`);
      first.resolve();
    }
  };
  const all = Promise.all(Array.from({ length: isShort ? 10 : SIGN_INS_WAITING }, signIn));
  await Promise.race([first.promise, all]);
  return {
    async [Symbol.asyncDispose]() {
      end.abort();
      await all;
    },
  };
}

/** Posts one message after another for some time. Returns what each took, in milliseconds. */
async function postFor(port: number, milliseconds: number): Promise<number[]> {
  const took: number[] = [];
  const endsAt = performance.now() + milliseconds;
  while (took.length === 0 || performance.now() < endsAt) {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/messages`, {
      method: 'POST',
      body: MESSAGE_BODY,
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`a post was answered with ${answer.status}`);
    took.push(performance.now() - startedAt);
  }
  return took;
}

function rowOf(work: string, subject: string, { samples }: Lane): Row {
  return {
    work,
    subject,
    value: median(samples.map(({ operations, seconds }) => operations / seconds)),
    unit: 'requests/s',
    cpuMicroseconds: median(samples.map(cpuOf)),
  };
}

function cpuOf(sample: Sample | undefined): number {
  if (sample === undefined) throw new RangeError('a turn is missing');
  return (sample.serverSeconds / sample.operations) * MICROSECONDS_A_SECOND;
}
