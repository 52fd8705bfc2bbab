/** The properties of a picture that are known before it is decoded. */
export interface PictureFacts {
  /** As sharp names it. */
  readonly format: string;
  /** Pixels of one frame, or of everything that is coded in the file if that is more. */
  readonly codedPixels: number;
  /** The number of frames that are decoded. */
  readonly frames: number;
}

/** The picture that is made of it. */
export interface MadePicture {
  /** The format in which it is encoded, or `raw`. */
  readonly format: 'avif' | 'webp' | 'plain' | 'raw';
  /** Pixels of one frame. */
  readonly pixels: number;
}

/**
 * Bytes for each pixel that libvips and the decoder hold at most, measured: with 16 bits, all channels, interlaced or
 * progressive, and turned. A baseline JPEG needs less, but one that has several scans does not say so.
 */
const DECODED: Readonly<Record<string, number>> = {
  jpeg: 10,
  png: 14,
  gif: 10,
  webp: 10,
  heif: 36,
};

/** Bytes for each pixel of the result while it is encoded. */
const ENCODED: Readonly<Record<MadePicture['format'], number>> = {
  avif: 52,
  webp: 28,
  plain: 20,
  raw: 16,
};

/** Bytes for each pixel of all frames of an animation, before and after they are made smaller. */
const FRAME_BEFORE = 2;
const FRAME_AFTER = 10;

/** The bytes that any picture takes, regardless of its size. */
const BASE_BYTES = 16_000_000;

/** An upper bound of the memory that it takes to make a picture of another one. */
export function decodedBytes(
  { format, codedPixels, frames }: PictureFacts,
  made: MadePicture,
): number {
  const decoded = codedPixels * (DECODED[format] ?? Infinity);
  const encoded = made.pixels * ENCODED[made.format];
  const animation =
    frames > 1 ? frames * (codedPixels * FRAME_BEFORE + made.pixels * FRAME_AFTER) : 0;
  return BASE_BYTES + decoded + encoded + animation;
}
