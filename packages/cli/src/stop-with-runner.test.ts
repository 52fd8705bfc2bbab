import { expect, test } from 'bun:test';
import { parentOf, stopWithRunner } from './stop-with-runner.ts';

const SHELL = 10;
const RUNNER = 20;
const OWN = 30;
const INIT = 1;

/** A watch over a made-up process tree; `look` is what the timer would do. */
function watch(env: Record<string, string>) {
  const parents = new Map([
    [RUNNER, SHELL],
    [OWN, RUNNER],
  ]);
  const looks: (() => void)[] = [];
  let timesGone = 0;
  stopWithRunner({
    env,
    parentOf: (pid) => parents.get(pid),
    ownPid: OWN,
    every: (_periodMs, run) => looks.push(run),
    onGone: () => {
      timesGone += 1;
    },
  });
  const look = () => {
    for (const run of looks) run();
    return timesGone;
  };
  return { parents, look };
}

const BY_RUNNER = { npm_lifecycle_event: 'start' };

test('[OP7] an instance goes on as long as what started it', () => {
  const { look } = watch(BY_RUNNER);
  expect([look(), look()]).toEqual([0, 0]);
});

test('[OP7] an instance stops once when its package runner has ended', () => {
  const { parents, look } = watch(BY_RUNNER);
  parents.set(OWN, INIT);
  expect([look(), look()]).toEqual([1, 1]);
});

test('[OP7] an instance stops when the shell around its package runner has ended', () => {
  const { parents, look } = watch(BY_RUNNER);
  parents.set(RUNNER, INIT);
  expect(look()).toBe(1);
});

test('[OP7] an instance that no package runner started outlives what started it', () => {
  const { parents, look } = watch({});
  parents.set(OWN, INIT);
  expect(look()).toBe(0);
});

test('[OP7] an instance goes on where the parents of other processes cannot be told', () => {
  let timesGone = 0;
  stopWithRunner({
    env: BY_RUNNER,
    parentOf: (pid) => (pid === OWN ? RUNNER : undefined),
    ownPid: OWN,
    every: (_periodMs, run) => run(),
    onGone: () => {
      timesGone += 1;
    },
  });
  expect(timesGone).toBe(0);
});

test('the parent of this process is told, and that of its parent where there is a /proc', () => {
  expect(parentOf(process.pid)).toBe(process.ppid);
  expect(parentOf(-1)).toBeUndefined();
});
