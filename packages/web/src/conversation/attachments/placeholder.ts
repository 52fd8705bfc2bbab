import { thumbHashToDataURL } from 'thumbhash';

/** The header of a ThumbHash, and the most bytes that one has. */
const BYTES = { least: 5, most: 32 } as const;

/** A blurred picture in few bytes (ThumbHash, base64) as an address; undefined if it cannot be read. */
export function placeholderUrl(placeholder: string | undefined): string | undefined {
  if (placeholder === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(placeholder), (character) => character.charCodeAt(0));
    if (bytes.length < BYTES.least || bytes.length > BYTES.most) return undefined;
    return thumbHashToDataURL(bytes);
  } catch {
    return undefined;
  }
}
