import type { FileData } from '@hearth/protocol';

/** Bytes of a ThumbHash that say which of the sides is longer. */
const HEADER_BYTES = 5;

/**
 * The smallest of `sizes` that has at least so many pixels, or else the largest; undefined if there are none. `pixels` are
 * those of the screen: CSS pixels times the device's pixel ratio.
 *
 * @example mediaSizeFor(320 * devicePixelRatio, client.capabilities?.limits.media_sizes ?? [])
 */
export function mediaSizeFor(pixels: number, sizes: readonly number[]): number | undefined {
  const ascending = sizes.toSorted((one, other) => one - other);
  return ascending.find((size) => size >= pixels) ?? ascending.at(-1);
}

/**
 * The sides of a picture or video as it is shown; undefined for other files. `metadata` has those of the stored pixels,
 * which the picture's orientation may turn: then its placeholder lies the other way.
 */
export function shownSize({
  metadata,
  placeholder,
}: Pick<FileData, 'metadata' | 'placeholder'>): { width: number; height: number } | undefined {
  if (metadata.type !== 'image' && metadata.type !== 'video') return undefined;
  const { width, height } = metadata;
  const isLying = isLandscape(placeholder);
  const isTurned = isLying === undefined ? false : isLying ? width < height : width > height;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Returns whether a ThumbHash is of a picture that is wider than high; undefined if there is none. */
function isLandscape(placeholder: string | undefined): boolean | undefined {
  if (placeholder === undefined) return undefined;
  try {
    const bytes = atob(placeholder);
    return bytes.length < HEADER_BYTES ? undefined : bytes.charCodeAt(HEADER_BYTES - 1) > 0x7f;
  } catch {
    return undefined;
  }
}
