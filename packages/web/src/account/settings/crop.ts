/**
 * The position of a picture in a square frame: the point of it that is in the middle, and how much larger than needed
 * it is.
 */
export interface Crop {
  /** In parts of the picture's width and height, from 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** 1 if the shorter side just fills the frame. */
  readonly zoom: number;
}

/** The size of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The factor by which a picture can be made larger than needed. */
export const MOST_ZOOM = 4;

/** The middle, as large as possible. */
export const FIRST_CROP: Crop = { x: 0.5, y: 0.5, zoom: 1 };

/** The nearest crop at which the picture fills the frame. */
export function settled({ x, y, zoom }: Crop, size: Size): Crop {
  const bounded = within(zoom, 1, MOST_ZOOM);
  const { side } = areaOf({ x, y, zoom: bounded }, size);
  const [halfX, halfY] = [side / size.width / 2, side / size.height / 2];
  return { x: within(x, halfX, 1 - halfX), y: within(y, halfY, 1 - halfY), zoom: bounded };
}

/** The square of the picture that the frame shows, in its pixels. */
export function areaOf({ x, y, zoom }: Crop, { width, height }: Size) {
  const side = Math.min(width, height) / zoom;
  return { left: x * width - side / 2, top: y * height - side / 2, side };
}

/** The crop after the picture was moved by so many parts of the frame's side. */
export function moved(
  crop: Crop,
  size: Size,
  by: { readonly x: number; readonly y: number },
): Crop {
  const { side } = areaOf(crop, size);
  const x = crop.x - (by.x * side) / size.width;
  const y = crop.y - (by.y * side) / size.height;
  return settled({ ...crop, x, y }, size);
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
