import { wishFor } from '../../../lib/accept.ts';
import type { VariantFormat } from '../../../ports/pictures/pictures.ts';

/**
 * The best format that an Accept header allows (RFC 9110). AVIF has to be named: clients that accept anything may not
 * know it.
 */
export function acceptedFormat(accept: string | undefined): VariantFormat {
  if (accept === undefined || accept.trim() === '') return 'webp';
  if (wishFor(accept, ['image/avif']).quality > 0) return 'avif';
  return wishFor(accept, ['*/*', 'image/*', 'image/webp']).quality > 0 ? 'webp' : 'plain';
}
