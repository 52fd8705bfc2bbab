import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { PeriodicWork } from './periodic-work.ts';

const PERIOD_MS = 1_000;

/** Work whose runs end when the test says so. */
function controlled() {
  const clock = fakeClock();
  const runs: PromiseWithResolvers<void>[] = [];
  const failures: unknown[] = [];
  const periodic = new PeriodicWork({
    clock,
    periodMs: PERIOD_MS,
    work: () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    onFailure: (error) => failures.push(error),
  });
  return { clock, runs, failures, periodic };
}

test('the work is done every period, and never twice at the same time', async () => {
  const { clock, runs, periodic } = controlled();
  expect(runs).toHaveLength(0);
  clock.advance(PERIOD_MS);
  clock.advance(PERIOD_MS);
  const joined = periodic.run();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await joined;
  clock.advance(PERIOD_MS);
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await periodic[Symbol.asyncDispose]();
});

test('the first of several failures is reported, and the work is tried again', async () => {
  const { runs, failures, periodic } = controlled();
  const endings: readonly (Error | undefined)[] = [
    new Error('first'),
    new Error('second'),
    undefined,
    new Error('later'),
  ];
  for (const [index, error] of endings.entries()) {
    const running = periodic.run();
    if (error === undefined) runs[index]?.resolve();
    else runs[index]?.reject(error);
    await running;
  }
  expect(failures).toEqual([new Error('first'), new Error('later')]);
});

test('work that throws before it returns a promise is a failure like any other', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  await using periodic = new PeriodicWork({
    clock: fakeClock(),
    periodMs: PERIOD_MS,
    work: () => {
      runs += 1;
      throw new Error('at once');
    },
    onFailure: (error) => failures.push(error),
  });
  await periodic.run();
  await periodic.run();
  expect([runs, failures]).toEqual([2, [new Error('at once')]]);
});

test('it stops when the run under way has ended, and begins no other', async () => {
  const { clock, runs, periodic } = controlled();
  clock.advance(PERIOD_MS);
  let isDisposed = false;
  const disposed = periodic[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  expect(periodic.isEnding).toBe(true);
  await Bun.sleep(0);
  expect(isDisposed).toBe(false);
  runs[0]?.resolve();
  await disposed;
  clock.advance(PERIOD_MS);
  await periodic.run();
  expect(runs).toHaveLength(1);
});
