import { readFileSync } from 'node:fs';

/** What a watch of the package runner needs of its surroundings. */
export interface RunnerSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parent of a process, this one's included; undefined where it cannot be told or the process is gone. */
  readonly parentOf: (pid: number) => number | undefined;
  readonly ownPid: number;
  /** Calls `run` again and again, and does not keep the process alive for it. */
  readonly every: (periodMs: number, run: () => void) => void;
  readonly onGone: () => void;
}

const LOOK_PERIOD_MS = 250;

/**
 * Calls `onGone` once when the package runner that started this process has ended: `npx bun start` runs it through a
 * shell, which a signal to npx ends without handing it on, so that the instance would go on unseen. Does nothing where
 * no package runner started it.
 */
export function stopWithRunner(surroundings: RunnerSurroundings): void {
  const { env, parentOf, ownPid, every, onGone } = surroundings;
  if (env['npm_lifecycle_event'] === undefined) return;
  const runner = parentOf(ownPid);
  const shell = runner === undefined ? undefined : parentOf(runner);
  let isGone = false;
  every(LOOK_PERIOD_MS, () => {
    if (isGone || runner === undefined) return;
    // Whoever loses its parent gets another one.
    isGone = parentOf(ownPid) !== runner || (shell !== undefined && parentOf(runner) !== shell);
    if (isGone) onGone();
  });
}

/** The parent of a process, of others than this one where the system has a /proc. */
export function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything; state and parent follow it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return Number.isInteger(parent) ? parent : undefined;
  } catch {
    return undefined;
  }
}
