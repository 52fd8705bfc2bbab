/** The middle one of `values`, or the mean of the two in the middle. Throws if there are none. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value that `percent` of `values` do not exceed, interpolated between two of them. Throws if there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('there are no values');
  return below + (above - below) * (position - Math.floor(position));
}
