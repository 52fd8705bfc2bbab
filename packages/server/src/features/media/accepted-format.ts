import type { VariantFormat } from '../../ports/pictures/pictures.ts';

/**
 * The best format that an Accept header allows (RFC 9110). AVIF has to be named: clients that accept anything may not
 * know it.
 */
export function acceptedFormat(accept: string | undefined): VariantFormat {
  if (accept === undefined || accept.trim() === '') return 'webp';
  const weights = new Map(accept.split(',').map(weighed));
  if ((weights.get('image/avif') ?? 0) > 0) return 'avif';
  const webp = weights.get('image/webp') ?? weights.get('image/*') ?? weights.get('*/*') ?? 0;
  return webp > 0 ? 'webp' : 'plain';
}

function weighed(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  const value = Number.parseFloat(weight);
  return [type, Number.isNaN(value) ? 1 : value];
}
