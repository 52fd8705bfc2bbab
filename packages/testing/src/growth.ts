const TIMES = 16;
const TRIES = 3;

/** Shorter runs are mostly other work of the process. */
const LEAST_US = 2_000;

/**
 * Measures how many times as much processor time `run` takes for `size` as for a sixteenth of it: about 16 if each part
 * takes the same, 256 if each part is compared with all others. The least of several tries, so other work of the
 * machine hardly matters.
 */
export function growthOf(run: (size: number) => void, size: number): number {
  const least = (tried: number) =>
    Math.max(LEAST_US, Math.min(...Array.from({ length: TRIES }, () => timeOf(run, tried))));
  return least(size) / least(size / TIMES);
}

/** More than this shows that the time does not grow with the size alone. */
export const LINEAR = 64;

function timeOf(run: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  run(size);
  return process.cpuUsage(before).user;
}
