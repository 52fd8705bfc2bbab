import sharp from 'sharp';

/** A PNG with at most 256 colours, which takes about a third of the bytes. */
export function smallPng(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture).png({ palette: true, quality: 92, effort: 10 }).toBuffer();
}
