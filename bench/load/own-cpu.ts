const MICROSECONDS_A_SECOND = 1e6;

/** CPU seconds that this process has used so far. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS_A_SECOND;
}
