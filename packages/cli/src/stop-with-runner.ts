import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Facts of a process that the watch needs. */
export interface ProcessFacts {
  readonly parent: number;
  readonly words: readonly string[];
  readonly env: Environment;
}

/** The parts of the system that the watch needs. */
export interface RunnerSurroundings {
  readonly env: Environment;
  readonly ownPid: number;
  /** Describes any process, including this one. Undefined if it has ended or the system does not report it. */
  readonly factsOf: (pid: number) => ProcessFacts | undefined;
  /** Calls `run` periodically, without keeping the process alive for it. */
  readonly every: (periodMs: number, run: () => void) => void;
  /** Emits hang-ups. */
  readonly signals: { on(signal: 'SIGHUP', listener: () => void): unknown };
  readonly onGone: (reason: string) => void;
}

/** A watched process. It has ended if `child` has another parent. */
interface Watched {
  readonly child: number;
  readonly parent: number;
  readonly reason: string;
}

const LOOK_PERIOD_MS = 250;

/**
 * Calls `onGone` once if the package runner that started this process ends without passing on a signal. That happens if
 * `bun run` is killed, and if `npx` gets a signal, which ends the shell in which it runs the program. Other ancestors,
 * such as the shell of a script or a terminal, are not watched. After a hang-up nothing is watched: a terminal that closes
 * ends npx and its shell, but must not end an instance that was started with nohup.
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
    // A process whose parent ends gets another parent.
    const gone = watched.find(({ child, parent }) => factsOf(child)?.parent !== parent);
    if (gone === undefined) return;
    isOver = true;
    onGone(gone.reason);
  });
}

function watchedOf({ env, ownPid, factsOf }: RunnerSurroundings): readonly Watched[] {
  const event = env['npm_lifecycle_event'];
  // Package runners set this variable. Without it, there is nothing to watch.
  if (event === undefined) return [];
  const parent = factsOf(ownPid)?.parent;
  const parentFacts = parent === undefined ? undefined : factsOf(parent);
  if (parent === undefined || parentFacts === undefined) return [];
  if (isShellOfNpx(parentFacts)) return [{ child: ownPid, parent, reason: 'npx has ended' }];
  // A runner sets the variable for its child processes. If the parent has the same value, both inherited it.
  if (parentFacts.env['npm_lifecycle_event'] === event) return [];
  const runner = { child: ownPid, parent, reason: 'the package runner has ended' };
  const shell = factsOf(parentFacts.parent);
  if (shell === undefined || !isShellOfNpx(shell)) return [runner];
  return [runner, { child: parent, parent: parentFacts.parent, reason: 'npx has ended' }];
}

/**
 * Returns whether the process is the `sh -c <program and arguments>` that npx runs, rather than a process of that
 * shell.
 */
function isShellOfNpx({ words: [, flag, text], env }: ProcessFacts): boolean {
  const program = env['npm_lifecycle_script'];
  return (
    env['npm_lifecycle_event'] === 'npx' &&
    flag === '-c' &&
    program !== undefined &&
    text?.startsWith(program) === true
  );
}

/** Describes a process. Processes other than this one are known only if the system has a /proc. */
export function factsOf(pid: number): ProcessFacts | undefined {
  if (pid === process.pid) return { parent: process.ppid, words: process.argv, env: process.env };
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain any character; the state and the parent follow it.
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
