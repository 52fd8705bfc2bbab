import { refusalPatienceMs } from './limit-window.ts';

/** One place with a pace of its own. */
interface Lane {
  readonly untilMs: number;
  readonly refusalsInRow: number;
}

/** Which places let nothing through for now, because of a pace of their own, such as slow mode. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #latestMs = -Infinity;

  /** A place has refused a request at `nowMs`. */
  refused(name: string, retryAfterMs: number, nowMs: number): void {
    const { refusalsInRow = 0 } = this.#lanes.get(name) ?? {};
    const waitMs = Math.max(1, retryAfterMs, refusalPatienceMs(refusalsInRow));
    this.#lanes.set(name, { untilMs: nowMs + waitMs, refusalsInRow: refusalsInRow + 1 });
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

  /** If our clock was set back, all times that were computed with it move along. */
  #notice(nowMs: number): void {
    const backMs = Math.max(0, this.#latestMs - nowMs);
    this.#latestMs = nowMs;
    if (backMs === 0) return;
    for (const [name, lane] of this.#lanes) {
      this.#lanes.set(name, { ...lane, untilMs: lane.untilMs - backMs });
    }
  }
}
