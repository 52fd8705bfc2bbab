/**
 * The degree to which a client wants something: by its quality, and for equal qualities by how exactly it was named.
 */
export interface Wish {
  readonly quality: number;
  readonly precision: number;
}

const NO_WISH: Wish = { quality: 0, precision: 0 };

/**
 * Returns what a header such as Accept says (RFC 9110, 12.4) of the last one of `names` that it has. They are in lower
 * case, and go from the vaguest to the most exact. A weight that is not valid counts as zero.
 */
export function wishFor(header: string, names: readonly string[]): Wish {
  let best = NO_WISH;
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const precision = names.indexOf(name) + 1;
    if (precision > best.precision) best = { quality: qualityOf(parameters), precision };
  }
  return best;
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}
