const FACTOR = Number(process.env['TEST_RUNS'] ?? 1);

/**
 * Returns how often a property is tried: `usual` times; in the long tier, ten times `thorough`, which is the same
 * unless a run takes so long that the usual tier has time for a few only. TEST_RUNS sets another factor than ten.
 */
export function runs(usual: number, thorough = usual): number {
  return FACTOR === 1 ? usual : thorough * FACTOR;
}
