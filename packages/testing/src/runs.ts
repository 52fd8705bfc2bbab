const FACTOR = Number(process.env['TEST_RUNS'] ?? 1);

/** How often a property is tried: `usual` times, ten times as often in the long tier, or TEST_RUNS times if set. */
export function runs(usual: number): number {
  return usual * FACTOR;
}
