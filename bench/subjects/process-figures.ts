import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_A_SECOND = 1e9;
const BYTES_A_KIB = 1024;

/** CPU seconds that all threads of the process and its children have used so far. */
export function cpuSeconds(pid: number): number {
  let seconds = 0;
  for (const own of family(pid)) {
    for (const thread of readdirSync(`/proc/${own}/task`)) {
      seconds += threadSeconds(`/proc/${own}/task/${thread}/schedstat`);
    }
  }
  return seconds;
}

/** The resident memory of the process and its children, in bytes. */
export function residentBytes(pid: number): number {
  let bytes = 0;
  for (const own of family(pid)) {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${own}/status`, 'utf8')) ?? [];
    bytes += Number(kib ?? 0) * BYTES_A_KIB;
  }
  return bytes;
}

// A thread may end between the listing and the reading.
function threadSeconds(path: string): number {
  try {
    const [nanoseconds] = readFileSync(path, 'utf8').split(' ');
    return Number(nanoseconds) / NANOSECONDS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Returns whether the process runs. A zombie, whose parent has not read its exit code yet, does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The identifiers of the process and its children. */
export function family(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children.filter((child) => child.trim() !== '').map(Number)];
}
