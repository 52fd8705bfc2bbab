import { RateLimitedError, FileSizeRateLimitedError } from '../../src/index.ts';
import type { Outcome } from '../../src/limits/outcome.ts';
import type { ManualClock } from '@hearth/testing/manual-clock';

/** The limits of the modelled instance, and its distance. */
export interface LimitModelOptions {
  readonly limit: number;
  readonly resetMs: number;
  readonly byteMax?: number;
  /** Its clock minus ours. */
  readonly offsetMs: number;
  readonly latencyMs: number;
}

const START_MS = 1_800_000_000_000;

/** A fixed window as Hearth counts it (LI2, LI14), seen over a line with some latency. */
export class LimitModel {
  /** The requests that were let through, in order. */
  readonly passed: string[] = [];
  refused = 0;
  readonly #options: LimitModelOptions;
  readonly #clock: ManualClock;
  #window = { startMs: -Infinity, count: 0, bytes: 0 };

  constructor(clock: ManualClock, options: LimitModelOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** A request of our client. */
  async request(name: string, bytes = 0): Promise<Outcome<string>> {
    await this.#travel();
    const outcome = this.#answer(name, bytes);
    await this.#travel();
    return outcome;
  }

  /** A request of another client with the same address, without latency. */
  elsewhere(bytes = 0): void {
    this.#count(bytes);
  }

  #answer(name: string, bytes: number): Outcome<string> {
    const refusal = this.#count(bytes);
    const headers = this.#headers();
    if (refusal === undefined) {
      this.passed.push(name);
      return { ok: true, headers, value: name };
    }
    this.refused += 1;
    return { ok: false, headers, error: refusal };
  }

  #count(bytes: number): RateLimitedError | FileSizeRateLimitedError | undefined {
    const { limit, resetMs, byteMax = Infinity } = this.#options;
    const nowMs = this.#nowMs();
    if (nowMs >= this.#window.startMs + resetMs) {
      this.#window = { startMs: nowMs, count: 0, bytes: 0 };
    }
    const window = this.#window;
    const retryAfterMs = window.startMs + resetMs - nowMs;
    if (window.count >= limit) return new RateLimitedError('wait', retryAfterMs);
    window.count += 1;
    const bytesLeft = byteMax - window.bytes;
    if (bytes > bytesLeft) {
      return new FileSizeRateLimitedError('wait', { retryAfterMs, bytesLeft });
    }
    window.bytes += bytes;
    return undefined;
  }

  #headers(): Headers {
    const { limit, resetMs, byteMax } = this.#options;
    const { startMs, count, bytes } = this.#window;
    const headers = new Headers({
      'x-RateLimit-Reset': String(resetMs),
      'X-RATELIMIT-MAX': String(limit),
      'x-RateLimit-Last-reset': String(startMs),
      'x-ratelimit-request-count': String(count),
    });
    if (byteMax !== undefined) {
      headers.set('X-RateLimit-Byte-Max', String(byteMax));
      headers.set('X-RateLimit-Sent-Bytes', String(bytes));
    }
    return headers;
  }

  #nowMs(): number {
    return START_MS + this.#clock.passedMs + this.#options.offsetMs;
  }

  #travel(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(this.#options.latencyMs, resolve);
    });
  }
}
