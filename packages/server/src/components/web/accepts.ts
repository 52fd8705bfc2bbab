import { wishFor } from '../../lib/accept.ts';

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
