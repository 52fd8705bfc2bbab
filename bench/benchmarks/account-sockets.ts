import { writeUsers } from '@hearth/testing/instances/many-users';
import type { Benchmark, Row } from '../benchmark.ts';
import { AccountSockets } from '../load/account-sockets.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const BYTES_A_KILOBYTE = 1_000;
const MICROSECONDS_A_SECOND = 1e6;
const RESUMERS = 2_000;
const ROUNDS = 7;

/** Sockets that connect and leave before memory is measured, so that code and caches are not counted as theirs. */
const FIRST_SOCKETS = 200;

/** The cost of sockets of people with an account, and of their return. */
export const ACCOUNT_SOCKETS: Benchmark = {
  name: 'account-sockets',
  about: 'resident memory of 10,000 sockets of profile 2, and 2,000 that come back at once',
  async *run({ isShort }) {
    const sockets = mostSockets(isShort ? 50 : 10_000, 1);
    let tokens: readonly string[] = [];
    const subject = hearthWith(async (folder) => {
      tokens = await writeUsers(folder, FIRST_SOCKETS + sockets);
    });
    await using running = await subject.start();
    const first = await AccountSockets.connect(
      running.ports.gateway,
      tokens.slice(0, FIRST_SOCKETS),
    );
    await first[Symbol.asyncDispose]();
    yield await idle(running, tokens.slice(FIRST_SOCKETS));
    yield* comingBack(running, tokens.slice(FIRST_SOCKETS, FIRST_SOCKETS + RESUMERS));
  },
};

async function idle(running: RunningSubject, tokens: readonly string[]): Promise<Row> {
  const before = running.residentBytes;
  await using _fleet = await AccountSockets.connect(running.ports.gateway, tokens);
  await Bun.sleep(1_000);
  const { residentBytes } = running;
  return {
    work: `${tokens.length.toLocaleString('en')} idle sockets of profile 2, each of another user`,
    subject: 'hearth',
    value: (residentBytes - before) / tokens.length / BYTES_A_KILOBYTE,
    unit: 'KB each',
    residentBytes,
    goal: { most: 6 },
  };
}

async function* comingBack(
  running: RunningSubject,
  tokens: readonly string[],
): AsyncGenerator<Row> {
  await using fleet = await AccountSockets.connect(running.ports.gateway, tokens);
  const samples: { readonly milliseconds: number; readonly seconds: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    fleet.throwOut();
    await Bun.sleep(100);
    const [cpuBefore, startedAt] = [running.cpuSeconds, performance.now()];
    await fleet.resume();
    const milliseconds = performance.now() - startedAt;
    samples.push({ milliseconds, seconds: running.cpuSeconds - cpuBefore });
  }
  const seconds = median(samples.map((sample) => sample.seconds));
  yield {
    work: `${tokens.length.toLocaleString('en')} clients of profile 2 resume at once`,
    subject: 'hearth',
    value: median(samples.map(({ milliseconds }) => milliseconds)),
    unit: 'ms',
    cpuMicroseconds: (seconds / tokens.length) * MICROSECONDS_A_SECOND,
  };
}
