/** A point or a movement in CSS pixels; points are relative to the middle of the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The way in which a picture is shown: its size, 1 if it fits the window, and where its middle is. */
export interface Zoom extends Point {
  readonly scale: number;
}

/** The sizes of a picture that fits, and of the window. */
export interface ZoomRoom {
  readonly picture: { readonly width: number; readonly height: number };
  readonly window: { readonly width: number; readonly height: number };
}

/** By how much to zoom, and at which point. */
export interface ZoomStep {
  readonly factor: number;
  readonly at: Point;
}

/** The picture as it is opened. */
export const FITTING: Zoom = { scale: 1, x: 0, y: 0 };

/** The zoom of a double tap and of the button, and the most that fingers reach. */
export const ZOOM_STEP = 2.5;
const MOST_SCALE = 8;

/** Zooms; what is shown at the point stays there as far as the picture's edges allow. */
export function zoomedAt(zoom: Zoom, { factor, at }: ZoomStep, room: ZoomRoom): Zoom {
  const scale = Math.min(MOST_SCALE, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return within(
    { scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio },
    room,
  );
}

/** Moves the picture, as far as its edges allow. */
export function movedBy(zoom: Zoom, { x, y }: Point, room: ZoomRoom): Zoom {
  return within({ ...zoom, x: zoom.x + x, y: zoom.y + y }, room);
}

function within({ scale, x, y }: Zoom, { picture, window }: ZoomRoom): Zoom {
  const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value)) + 0;
  const over = (side: number, shown: number) => Math.max(0, (side * scale - shown) / 2);
  return {
    scale,
    x: clamp(x, over(picture.width, window.width)),
    y: clamp(y, over(picture.height, window.height)),
  };
}
