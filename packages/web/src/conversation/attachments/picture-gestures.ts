import { signal, type ReadonlySignal } from '@preact/signals';
import {
  FITTING,
  movedBy,
  ZOOM_STEP,
  zoomedAt,
  type Point,
  type Zoom,
  type ZoomRoom,
} from './zoom.ts';

/** The things that gestures need, and those to which they lead. */
export interface PictureGesturesOptions {
  /** The sizes as they are now. */
  room(): ZoomRoom;
  /** Shows the next picture (1) or the previous one (-1). */
  go(step: 1 | -1): void;
}

/** A finger, or the mouse, where it began and where it is. */
interface Finger {
  readonly began: Point;
  at: Point;
}

/** A finger that moved less than this has not moved. */
const STILL_PX = 8;
const DOUBLE_TAP = { withinMs: 300, withinPx: 30 } as const;
const SWIPE_PX = 56;
const KEY_STEP_PX = 80;

/** Gestures of fingers and the mouse with a large picture: swiping, moving, pinching and double tapping. */
export class PictureGestures {
  readonly #options: PictureGesturesOptions;
  readonly #zoom = signal(FITTING);
  readonly #swipe = signal(0);
  readonly #isHeld = signal(false);
  readonly #fingers = new Map<number, Finger>();
  #lastTap: { readonly at: Point; readonly ms: number } | undefined;
  /** It has been more than a tap since all fingers were off. */
  #hasMoved = false;

  constructor(options: PictureGesturesOptions) {
    this.#options = options;
  }

  get zoom(): ReadonlySignal<Zoom> {
    return this.#zoom;
  }

  /** The distance in CSS pixels at which the picture follows a finger to the side. */
  get swipe(): ReadonlySignal<number> {
    return this.#swipe;
  }

  /** True while a finger moves the picture, which then follows at once. */
  get isHeld(): ReadonlySignal<boolean> {
    return this.#isHeld;
  }

  /** True if the click that ends a gesture is none. */
  get hasMoved(): boolean {
    return this.#hasMoved;
  }

  down(id: number, at: Point): void {
    this.#hasMoved = this.#fingers.size > 0;
    this.#fingers.set(id, { began: at, at });
    this.#swipe.value = 0;
  }

  move(id: number, at: Point): void {
    const finger = this.#fingers.get(id);
    if (finger === undefined) return;
    const before = finger.at;
    const other = [...this.#fingers].find(([each]) => each !== id)?.[1].at;
    finger.at = at;
    if (distance(finger.began, at) >= STILL_PX) this.#hasMoved = true;
    this.#isHeld.value = this.#hasMoved;
    if (other !== undefined) this.#pinch(before, at, other);
    else if (this.#zoom.peek().scale > 1) {
      this.#moveBy({ x: at.x - before.x, y: at.y - before.y });
    } else if (this.#hasMoved) this.#swipe.value = at.x - finger.began.x;
  }

  up(id: number, ms: number): void {
    const finger = this.#fingers.get(id);
    if (finger === undefined) return;
    this.#fingers.delete(id);
    if (this.#fingers.size > 0) return;
    this.#isHeld.value = false;
    const way = this.#swipe.peek();
    this.#swipe.value = 0;
    if (!this.#hasMoved) this.#tap(finger.at, ms);
    else if (Math.abs(way) >= SWIPE_PX && Math.abs(way) > Math.abs(finger.at.y - finger.began.y)) {
      this.#options.go(way < 0 ? 1 : -1);
    }
  }

  /** The browser took over. */
  cancel(id: number): void {
    if (!this.#fingers.delete(id)) return;
    this.#swipe.value = 0;
    this.#isHeld.value = false;
  }

  /** Zooms by a factor at a point, or in the middle. */
  zoomBy(factor: number, at: Point = { x: 0, y: 0 }): void {
    this.#zoom.value = zoomedAt(this.#zoom.peek(), { factor, at }, this.#options.room());
  }

  /** Zooms in, or out if it was zoomed in. */
  toggle(at?: Point): void {
    if (this.#zoom.peek().scale > 1) this.reset();
    else this.zoomBy(ZOOM_STEP, at);
  }

  /** Shows the whole picture. */
  reset(): void {
    this.#zoom.value = FITTING;
  }

  /** Does what a key stands for; returns whether it stands for something. */
  key(key: string): boolean {
    const isZoomed = this.#zoom.peek().scale > 1;
    const arrow = ARROWS[key];
    if (arrow !== undefined && isZoomed) {
      this.#moveBy({ x: -arrow.x * KEY_STEP_PX, y: -arrow.y * KEY_STEP_PX });
    } else if (arrow?.x === 1 || arrow?.x === -1) this.#options.go(arrow.x);
    else if (key === '+' || key === '=') this.zoomBy(1.5);
    else if (key === '-') this.zoomBy(1 / 1.5);
    else if (key === '0') this.reset();
    else return false;
    return true;
  }

  #tap(at: Point, ms: number): void {
    const last = this.#lastTap;
    const isDouble =
      last !== undefined &&
      ms - last.ms <= DOUBLE_TAP.withinMs &&
      distance(last.at, at) <= DOUBLE_TAP.withinPx;
    this.#lastTap = isDouble ? undefined : { at, ms };
    if (isDouble) this.toggle(at);
  }

  #pinch(before: Point, at: Point, other: Point): void {
    const factor = distance(at, other) / Math.max(1, distance(before, other));
    this.zoomBy(factor, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
    this.#moveBy({ x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 });
  }

  #moveBy(way: Point): void {
    this.#zoom.value = movedBy(this.#zoom.peek(), way, this.#options.room());
  }
}

const ARROWS: Readonly<Record<string, { readonly x: -1 | 0 | 1; readonly y: -1 | 0 | 1 }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
