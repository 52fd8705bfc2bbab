import sharp from 'sharp';

/** The size of a photograph, and the orientation that its EXIF data has. */
export interface PhotographOptions {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
  /** So that no two are the same. */
  readonly seed?: number;
}

/** A JPEG of many small patches, so that it is about as large as a photograph. */
export async function photograph(options: PhotographOptions): Promise<Buffer<ArrayBuffer>> {
  const { width, height, orientation = 1, seed = 1 } = options;
  const [across, down] = [Math.ceil(width / 4), Math.ceil(height / 4)];
  const pixels = Buffer.alloc(across * down * 3);
  let state = seed >>> 0;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state >>> 24;
  }
  const jpeg = await sharp(pixels, { raw: { width: across, height: down, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .withMetadata({ orientation })
    .jpeg({ quality: 90 })
    .toBuffer();
  return Buffer.from(jpeg);
}
