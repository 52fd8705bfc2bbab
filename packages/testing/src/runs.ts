const FACTOR = Number(process.env['TEST_RUNS'] ?? 1);

/** How often a property is tried: as often as is `usual`, ten times as often in the long tier, TEST_RUNS=… times by hand. */
export function runs(usual: number): number {
  return usual * FACTOR;
}
