/** How much a client wants a type: by its quality, and for equal qualities by how exactly it was named. */
interface Wish {
  readonly quality: number;
  readonly precision: number;
}

const NO_WISH: Wish = { quality: 0, precision: 0 };

/** Whether an Accept header asks for JSON rather than for a page (RFC 9110, 12.5.1). */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false;
  const json = wishFor(accept, ['*/*', 'application/*', 'application/json']);
  const page = wishFor(accept, ['*/*', 'text/*', 'text/html']);
  const isEqual = json.quality > 0 && json.quality === page.quality;
  return isEqual ? json.precision > page.precision : json.quality > page.quality;
}

/** Whether an Accept-Encoding header allows content with this encoding (RFC 9110, 12.5.3). */
export function acceptsEncoding(header: string | null, encoding: string): boolean {
  return header !== null && wishFor(header, ['*', encoding]).quality > 0;
}

/** What the header says of the last one of `names` that it has. They go from the vaguest to the most exact. */
function wishFor(header: string, names: readonly string[]): Wish {
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
