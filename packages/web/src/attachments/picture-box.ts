/** A size in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The room of a picture, as a style. */
export type PictureBox = Readonly<Record<'width' | 'aspectRatio', string>>;

/** How large a picture or video is at most in the list. */
const MOST = { width: 440, height: 340 } as const;

/** Of a picture, and of a video, which has controls. */
const LEAST = { picture: { width: 48, height: 48 }, video: { width: 240, height: 135 } } as const;

/** Of pictures side by side: those that are large have one height. */
const TILE = { height: 160, least: 48, mostWidth: 280 } as const;

/** What stands in the room. */
export type BoxKind = keyof typeof LEAST;

/** The room that a picture takes, known before it is there; as narrow as its column at most. */
export function boxOf({ width, height }: PixelSize, kind: BoxKind = 'picture'): PictureBox {
  const scale = Math.min(1, MOST.width / width, MOST.height / height);
  const shownWidth = Math.max(LEAST[kind].width, Math.round(width * scale));
  const shownHeight = Math.max(LEAST[kind].height, Math.round(height * scale));
  return { width: `${shownWidth}px`, aspectRatio: `${shownWidth} / ${shownHeight}` };
}

/** The room of a picture beside others, which shows its middle where it is very wide or very high. */
export function tileOf({ width, height }: PixelSize): PictureBox {
  const scale = Math.min(1, TILE.height / height);
  const shownWidth = Math.min(TILE.mostWidth, Math.max(TILE.least, Math.round(width * scale)));
  const shownHeight = Math.max(TILE.least, Math.round(height * scale));
  return { width: `${shownWidth}px`, aspectRatio: `${shownWidth} / ${shownHeight}` };
}
