/** A picture: the path of a file of this machine, its bytes, or what reads them when it is the picture's turn. */
export type PictureSource = string | Uint8Array | (() => Promise<Uint8Array>);

/** A picture that can be decoded. */
export type ReadPicture = Exclude<PictureSource, () => unknown>;

/** The formats that the reader of a variant can show: AVIF and WebP, WebP, or neither, so that it gets JPEG or PNG. */
export type VariantFormat = 'avif' | 'webp' | 'plain';

/** A version of a picture whose longer side has at most `pixels`. */
export interface VariantWish {
  readonly pixels: number;
  readonly format: VariantFormat;
}

/** The types of content that pictures can be made from. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** Nothing is known about the picture, because there is too much to do, or because this machine cannot do it. */
export class PicturesUnavailableError extends Error {
  override readonly name = 'PicturesUnavailableError';
}

/**
 * Makes small versions of pictures, a few at a time and apart from the event loop. What waits is bounded, in number and
 * in time. Both verbs reject with PicturesUnavailableError only; a picture that is damaged, hostile or too large is no
 * error.
 */
export interface Pictures {
  /** A blurred version of the picture as it is shown: a ThumbHash in base64. Undefined if it cannot be decoded. */
  placeholder(source: PictureSource): Promise<string | undefined>;

  /**
   * The picture as it is shown, with its orientation applied, without metadata, and never larger than it is. An
   * animation stays one if it is short and the format can hold it. Undefined if the picture cannot be decoded.
   */
  variant(source: PictureSource, wish: VariantWish): Promise<Uint8Array | undefined>;
}
