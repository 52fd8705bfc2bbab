/** The place and the time of a finger, in CSS pixels and milliseconds. */
export interface SwipePoint {
  readonly x: number;
  readonly y: number;
  readonly timeMs: number;
}

/** A swipe is at least that far, that much more sideways than up or down, and that quick. */
const LEAST_PIXELS = 64;
const SIDEWAYS = 2;
const LONGEST_MS = 600;

/** From the edges of the page, a finger swipes to what the browser has there: Back, for example. In CSS pixels. */
const EDGE = 24;

/** Returns whether a finger begins so near the edge that the browser takes its swipe. */
export function isAtEdge(x: number, pageWidth: number): boolean {
  return x < EDGE || x > pageWidth - EDGE;
}

/** In which direction a finger has swiped, if it has. */
export function swipeOf(from: SwipePoint, to: SwipePoint): 'left' | 'right' | undefined {
  const across = to.x - from.x;
  const along = Math.abs(to.y - from.y);
  const isQuick = to.timeMs - from.timeMs <= LONGEST_MS;
  if (!isQuick || Math.abs(across) < LEAST_PIXELS || Math.abs(across) < SIDEWAYS * along) {
    return undefined;
  }
  return across > 0 ? 'right' : 'left';
}
