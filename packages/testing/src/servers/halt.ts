import { readdirSync, readFileSync } from 'node:fs';

/** The states of a stopped, traced or ended thread. */
const AT_REST = 'TtZX';

/** Stops a process, and returns when none of its threads runs. On a busy machine that takes a while. */
export function halt(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  while (!threadsOf(pid).every((state) => AT_REST.includes(state)));
}

/** The state of each thread; empty if the process has ended, or if this system does not report it. */
function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => {
      const stat = readFileSync(`${folder}/${thread}/stat`, 'utf8');
      // The state follows the name, which may contain any character.
      return stat.charAt(stat.lastIndexOf(')') + 2);
    });
  } catch {
    return [];
  }
}
