/** A size in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The room for a picture, as a style. */
export type PictureBox = Readonly<Record<'width' | 'aspectRatio', string>>;

/** The largest size of a picture or video in the list. */
const MOST = { width: 440, height: 340 } as const;

/** The smallest size of a picture, and of a video, which has controls. */
const LEAST = { picture: { width: 48, height: 48 }, video: { width: 240, height: 135 } } as const;

/** The size of pictures side by side: large ones all have this height. */
const TILE = { height: 160, least: 48, mostWidth: 280 } as const;

/** What the room is for. */
export type BoxKind = keyof typeof LEAST;

/** The room that a picture takes, known before it is loaded; never wider than its column. */
export function boxOf({ width, height }: PixelSize, kind: BoxKind = 'picture'): PictureBox {
  const scale = Math.min(1, MOST.width / width, MOST.height / height);
  const shownWidth = Math.max(LEAST[kind].width, Math.round(width * scale));
  const shownHeight = Math.max(LEAST[kind].height, Math.round(height * scale));
  return { width: `${shownWidth}px`, aspectRatio: `${shownWidth} / ${shownHeight}` };
}

/** The room of a picture next to others, which shows its middle if it is very wide or very high. */
export function tileOf({ width, height }: PixelSize): PictureBox {
  const scale = Math.min(1, TILE.height / height);
  const shownWidth = Math.min(TILE.mostWidth, Math.max(TILE.least, Math.round(width * scale)));
  const shownHeight = Math.max(TILE.least, Math.round(height * scale));
  return { width: `${shownWidth}px`, aspectRatio: `${shownWidth} / ${shownHeight}` };
}
