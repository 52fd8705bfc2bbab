import { DamagedContent } from '../file-window.ts';

/** A width and a height in whole pixels, both at least 1. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

// PNG's own limit, the largest of the formats that have one
const MAX_DIMENSION = 0x7f_ff_ff_ff;

/** The size; throws DamagedContent if a picture cannot have it. */
export function pixelSize(width: number, height: number): PixelSize {
  if (!isDimension(width) || !isDimension(height))
    throw new DamagedContent(`a picture of ${width} by ${height}`);
  return { width, height };
}

function isDimension(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_DIMENSION;
}

/** The size in square pixels of a picture whose pixels are `wide` to `high`: one side grows, none shrinks. */
export function squarePixels(stored: PixelSize, wide: number, high: number): PixelSize {
  if (wide === 0 || high === 0) return stored;
  return wide > high
    ? pixelSize(Math.round((stored.width * wide) / high), stored.height)
    : pixelSize(stored.width, Math.round((stored.height * high) / wide));
}
