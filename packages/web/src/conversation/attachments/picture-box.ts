/** A size in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The room for a picture, as a style. */
export type PictureBox = Readonly<Record<'width' | 'aspectRatio', string>>;

/** The room of a tile, as a style. */
export type TileStyle = Readonly<Record<'--tile-width' | '--tile-ratio', string>>;

/** The largest size of a picture or video in the list: the sides fit the sizes in which instances serve pictures. */
const MOST = { width: 400, height: 340 } as const;

/** The smallest size of a picture, and of a video, which has controls. */
const LEAST = { picture: { width: 48, height: 48 }, video: { width: 240, height: 135 } } as const;

/** The size of pictures side by side: large ones all have this height. */
const TILE = { height: 160, least: 48, mostWidth: 280 } as const;

/** The purpose of the room. */
export type BoxKind = keyof typeof LEAST;

/** The room that a picture takes, known before it is loaded. */
export function roomOf({ width, height }: PixelSize, kind: BoxKind = 'picture'): PixelSize {
  const scale = Math.min(1, MOST.width / width, MOST.height / height);
  return {
    width: Math.max(LEAST[kind].width, Math.round(width * scale)),
    height: Math.max(LEAST[kind].height, Math.round(height * scale)),
  };
}

/** The room of a picture next to others, which shows its middle if it is very wide or very high. */
export function tileOf({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(1, TILE.height / height);
  return {
    width: Math.min(TILE.mostWidth, Math.max(TILE.least, Math.round(width * scale))),
    height: Math.max(TILE.least, Math.round(height * scale)),
  };
}

/** A room as a style; never wider than its column. */
export function styleOf({ width, height }: PixelSize): PictureBox {
  return { width: `${width}px`, aspectRatio: `${width} / ${height}` };
}

/** Returns what style sheets need to lay out a tile: on narrow screens, tiles fill their row. */
export function tileStyleOf({ width, height }: PixelSize): TileStyle {
  return { '--tile-width': `${width}px`, '--tile-ratio': `${width / height}` };
}

/** The room of a picture as a style, in a tile. */
export function inTile({ width, height }: PixelSize): PictureBox {
  return { width: '100%', aspectRatio: `${width} / ${height}` };
}

/** Returns the length of the longer side of a picture if it covers its room. */
export function coveringSide({ width, height }: PixelSize, room: PixelSize): number {
  const scale = Math.min(1, Math.max(room.width / width, room.height / height));
  return Math.max(width, height) * scale;
}
