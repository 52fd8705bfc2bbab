import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { factsOf, stopWithRunner, type ProcessFacts } from './stop-with-runner.ts';

const INIT = 1;
const NPX = 5;
const SHELL = 10;
const RUNNER = 20;
const OWN = 30;

const BY_NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'bun'", npm_command: 'exec' };
const BY_RUNNER = { npm_lifecycle_event: 'start', npm_lifecycle_script: 'bun scripts/hearth.ts' };

const NPX_SHELL = { parent: NPX, words: ['sh', '-c', "'bun' start"], env: BY_NPX };
const RUNNER_OF_NPX = { parent: SHELL, words: ['bun', 'start'], env: BY_NPX };
const ANY_SHELL = { parent: INIT, words: ['sh', 'start-all.sh'], env: {} };
const RUNNER_OF_ANY = { parent: SHELL, words: ['bun', 'start'], env: {} };
const INSTANCE = { parent: RUNNER, words: ['bun', 'hearth.js'], env: BY_RUNNER };

/** Runs the watch of the process `OWN` among these processes; `look` returns the reasons reported so far. */
function watch(processes: Readonly<Record<number, ProcessFacts>>) {
  const alive = new Map(Object.entries(processes).map(([pid, facts]) => [Number(pid), facts]));
  const looks: (() => void)[] = [];
  const reasons: string[] = [];
  const signals = new EventEmitter();
  stopWithRunner({
    env: alive.get(OWN)?.env ?? {},
    factsOf: (pid) => alive.get(pid),
    ownPid: OWN,
    every: (_periodMs, run) => looks.push(run),
    signals,
    onGone: (reason) => reasons.push(reason),
  });
  const look = () => {
    for (const run of looks) run();
    return reasons;
  };
  /** Ends a process, whose children become children of init. */
  const end = (pid: number) => {
    alive.delete(pid);
    for (const [child, facts] of alive) {
      if (facts.parent === pid) alive.set(child, { ...facts, parent: INIT });
    }
  };
  return { end, look, signals };
}

const BELOW_NPX = { [SHELL]: NPX_SHELL, [RUNNER]: RUNNER_OF_NPX, [OWN]: INSTANCE };
const BELOW_A_SCRIPT = { [SHELL]: ANY_SHELL, [RUNNER]: RUNNER_OF_ANY, [OWN]: INSTANCE };

test('[OP41] an instance goes on while the processes that started it run', () => {
  const { look } = watch(BELOW_NPX);
  look();
  expect(look()).toEqual([]);
});

test('[OP41] an instance stops once when its package runner has ended', () => {
  const { end, look } = watch(BELOW_A_SCRIPT);
  end(RUNNER);
  look();
  expect(look()).toEqual(['the package runner has ended']);
});

test('[OP41] an instance stops when the shell that npx put around its package runner has ended', () => {
  const { end, look } = watch(BELOW_NPX);
  end(SHELL);
  expect(look()).toEqual(['npx has ended']);
});

test('[OP41] an instance that npx runs without a package script stops when the shell of npx has ended', () => {
  const shell = { ...NPX_SHELL, words: ['sh', '-c', "'bun' dist/hearth.js start"] };
  const { end, look } = watch({
    [SHELL]: shell,
    [OWN]: { ...INSTANCE, parent: SHELL, env: BY_NPX },
  });
  expect(look()).toEqual([]);
  end(SHELL);
  expect(look()).toEqual(['npx has ended']);
});

test.each<[string, ProcessFacts]>([
  ['a script', ANY_SHELL],
  ['a terminal', { ...ANY_SHELL, words: ['-bash'] }],
  ['a script that npx runs', { ...NPX_SHELL, words: ['sh', './serve.sh'] }],
  ['a shell below that of npx', { ...NPX_SHELL, words: ['sh', '-c', 'bun start &'] }],
  ['another package script', { ...NPX_SHELL, env: { ...BY_NPX, npm_lifecycle_event: 'deploy' } }],
])(
  '[OP41] an instance goes on when the shell of %s around its package runner ends',
  (_what, shell) => {
    const { end, look } = watch({ ...BELOW_A_SCRIPT, [SHELL]: shell });
    end(SHELL);
    expect(look()).toEqual([]);
  },
);

test('[OP41] an instance goes on when the shell of a package script that started it directly ends', () => {
  const shell = { ...ANY_SHELL, env: { npm_lifecycle_event: 'deploy' } };
  const { end, look } = watch({
    [SHELL]: shell,
    [OWN]: { ...INSTANCE, parent: SHELL, env: shell.env },
  });
  end(SHELL);
  expect(look()).toEqual([]);
});

test('[OP41] an instance that no package runner started goes on when its parent ends', () => {
  const { end, look } = watch({ ...BELOW_A_SCRIPT, [OWN]: { ...INSTANCE, env: {} } });
  end(RUNNER);
  expect(look()).toEqual([]);
});

test('[OP41] an instance goes on if npx ends because their terminal closes', () => {
  const { end, look, signals } = watch(BELOW_NPX);
  signals.emit('SIGHUP');
  end(SHELL);
  expect(look()).toEqual([]);
});

test('[OP41] an instance goes on if the system has no information about other processes', () => {
  const { end, look } = watch({ [OWN]: INSTANCE });
  end(RUNNER);
  expect(look()).toEqual([]);
});

test('factsOf describes this process, and its parent if there is a /proc', () => {
  expect(factsOf(process.pid)).toMatchObject({
    parent: process.ppid,
    env: { PATH: process.env['PATH'] },
  });
  if (process.platform === 'linux') {
    expect(factsOf(process.ppid)).toMatchObject({
      words: expect.arrayContaining([expect.any(String)]),
    });
  }
  expect(factsOf(-1)).toBeUndefined();
});
