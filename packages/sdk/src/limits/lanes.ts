/** One place that lets nothing through for now. */
interface Lane {
  /** The first refusal of those in a row. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly refusalsInRow: number;
}

/** Returns the time to wait after a refusal; `refusalsInRow` is the number of those before it. */
export type WaitAfterRefusal = (retryAfterMs: number, refusalsInRow: number) => number;

/** A place that nobody has tried for so long after it was free again is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Which places let nothing through for now, because of a pace of their own, such as slow mode, or because they are busy. */
export class Lanes {
  readonly #waitMs: WaitAfterRefusal;
  readonly #lanes = new Map<string, Lane>();
  #latestMs = -Infinity;

  constructor(waitMs: WaitAfterRefusal) {
    this.#waitMs = waitMs;
  }

  /** A place has refused a request at `nowMs`. */
  refused(name: string, retryAfterMs: number, nowMs: number): void {
    const { sinceMs = nowMs, refusalsInRow = 0 } = this.#lanes.get(name) ?? {};
    const untilMs = nowMs + Math.max(1, this.#waitMs(retryAfterMs, refusalsInRow));
    for (const [other, lane] of this.#lanes) {
      if (lane.untilMs + FORGOTTEN_AFTER_MS < nowMs) this.#lanes.delete(other);
    }
    this.#lanes.set(name, { sinceMs, untilMs, refusalsInRow: refusalsInRow + 1 });
  }

  /** A place has taken a request. */
  taken(name: string): void {
    this.#lanes.delete(name);
  }

  /** When a place lets the next request through, as far as is known; `nowMs` or earlier if at once. */
  freeAtMs(name: string | undefined, nowMs: number): number {
    this.#notice(nowMs);
    return name === undefined ? 0 : (this.#lanes.get(name)?.untilMs ?? 0);
  }

  /** Since when a place has let nothing through; `-Infinity` if its last answer was none of that kind. */
  refusesSinceMs(name: string): number {
    return this.#lanes.get(name)?.sinceMs ?? -Infinity;
  }

  /** If our clock was set back, all times that were computed with it move along. */
  #notice(nowMs: number): void {
    const backMs = Math.max(0, this.#latestMs - nowMs);
    this.#latestMs = nowMs;
    if (backMs === 0) return;
    for (const [name, lane] of this.#lanes) {
      const { sinceMs, untilMs } = lane;
      const moved = { ...lane, sinceMs: sinceMs - backMs, untilMs: untilMs - backMs };
      this.#lanes.set(name, moved);
    }
  }
}
