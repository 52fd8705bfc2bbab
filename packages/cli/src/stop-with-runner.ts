import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** What another process is, as far as the watch asks. */
export interface ProcessFacts {
  readonly parent: number;
  readonly words: readonly string[];
  readonly env: Environment;
}

/** What the watch needs of its surroundings. */
export interface RunnerSurroundings {
  readonly env: Environment;
  readonly ownPid: number;
  /** A process, this one included; undefined if it is gone or the system does not say. */
  readonly factsOf: (pid: number) => ProcessFacts | undefined;
  /** Calls `run` again and again, and does not keep the process alive for it. */
  readonly every: (periodMs: number, run: () => void) => void;
  /** Reports hang-ups. */
  readonly signals: { on(signal: 'SIGHUP', listener: () => void): unknown };
  readonly onGone: (reason: string) => void;
}

/** A process that is watched: it is gone when `child` has another parent. */
interface Watched {
  readonly child: number;
  readonly parent: number;
  readonly reason: string;
}

const LOOK_PERIOD_MS = 250;

/**
 * Calls `onGone` once when the package runner that started this process has ended without a word: `bun run` if it was
 * killed, and the shell through which `npx` runs a program, which a signal to npx ends without passing it on. Whatever
 * else is around them, as the shell of a script or of a terminal, may end: it is not watched. After a hang-up nothing is:
 * a terminal that closes ends npx and its shell, but not an instance that was started with nohup.
 */
export function stopWithRunner(surroundings: RunnerSurroundings): void {
  const { factsOf, every, signals, onGone } = surroundings;
  const watched = watchedOf(surroundings);
  if (watched.length === 0) return;
  let isOver = false;
  signals.on('SIGHUP', () => {
    isOver = true;
  });
  every(LOOK_PERIOD_MS, () => {
    if (isOver) return;
    // A process that loses its parent gets another one.
    const gone = watched.find(({ child, parent }) => factsOf(child)?.parent !== parent);
    if (gone === undefined) return;
    isOver = true;
    onGone(gone.reason);
  });
}

function watchedOf({ env, ownPid, factsOf }: RunnerSurroundings): readonly Watched[] {
  const event = env['npm_lifecycle_event'];
  // Set by whatever runs package scripts, so that nothing is read otherwise.
  if (event === undefined) return [];
  const parent = factsOf(ownPid)?.parent;
  const parentFacts = parent === undefined ? undefined : factsOf(parent);
  if (parent === undefined || parentFacts === undefined) return [];
  if (isShellOfNpx(parentFacts)) return [{ child: ownPid, parent, reason: 'npx has ended' }];
  // A runner sets the variable for what it runs. If the parent has the same one, both inherited it.
  if (parentFacts.env['npm_lifecycle_event'] === event) return [];
  const runner = { child: ownPid, parent, reason: 'the package runner has ended' };
  const shell = factsOf(parentFacts.parent);
  if (shell === undefined || !isShellOfNpx(shell)) return [runner];
  return [runner, { child: parent, parent: parentFacts.parent, reason: 'npx has ended' }];
}

/** Whether it is `sh -c <program and arguments>` as npx runs it, and nothing that such a shell has started. */
function isShellOfNpx({ words: [, flag, text], env }: ProcessFacts): boolean {
  const program = env['npm_lifecycle_script'];
  return (
    env['npm_lifecycle_event'] === 'npx' &&
    flag === '-c' &&
    program !== undefined &&
    text?.startsWith(program) === true
  );
}

/** What the system says of a process; of other processes than this one only if it has a /proc. */
export function factsOf(pid: number): ProcessFacts | undefined {
  if (pid === process.pid) return { parent: process.ppid, words: process.argv, env: process.env };
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may hold anything; state and parent follow it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (!Number.isInteger(parent)) return undefined;
    const variables = listIn(pid, 'environ').map((pair) => {
      const end = pair.indexOf('=');
      return [pair.slice(0, end), pair.slice(end + 1)] as const;
    });
    return { parent, words: listIn(pid, 'cmdline'), env: Object.fromEntries(variables) };
  } catch {
    return undefined;
  }
}

function listIn(pid: number, name: 'environ' | 'cmdline'): readonly string[] {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0');
}
