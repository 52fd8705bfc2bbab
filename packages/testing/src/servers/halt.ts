import { readdirSync, readFileSync } from 'node:fs';

/** Stopped, traced, or at its end. */
const AT_REST = 'TtZX';

/** Stops a process, and returns when none of its threads runs any more: on a busy machine that takes a while. */
export function halt(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  while (!threadsOf(pid).every((state) => AT_REST.includes(state)));
}

/** The state of each thread; none if the process has ended, or this system does not say. */
function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => {
      const stat = readFileSync(`${folder}/${thread}/stat`, 'utf8');
      // After the name, which may hold anything.
      return stat.charAt(stat.lastIndexOf(')') + 2);
    });
  } catch {
    return [];
  }
}
