import type { Logger } from '../../log/logger.ts';
import type { LimitBucket, Limiter, Standing, Verdict } from './limiter.ts';

/** The two limiters, and how to choose between them. */
export interface FallbackLimiterOptions {
  /** Counts across processes, and may reject. */
  readonly shared: Limiter;
  /** Counts within this process, and never rejects. */
  readonly local: Limiter;
  /** Returns whether the shared limiter can be reached at all. If not, no request waits for it. */
  readonly isUp: () => boolean;
  readonly log: Logger;
}

/**
 * Counts across processes while that is possible, and within this process while it is not. It never rejects because of
 * that. Neither limiter knows what the other has counted. Bytes reserved in one are given back to the same one. If that
 * cannot be reached, they stay reserved until the window ends. Disposes both.
 */
export function fallbackLimiter(options: FallbackLimiterOptions): Limiter {
  return new FallbackLimiter(options);
}

/** A request that the shared limiter counted. */
class SharedRequest {
  readonly bucket: LimitBucket;
  readonly client: string;
  readonly verdict: Verdict;
  /** The last known standing of the shared window. */
  known: Standing;
  /** The local verdict with which the request continues while the shared limiter is away. */
  local: Verdict | undefined;
  localReserved = 0;
  /** Bytes that the shared window does not know of. */
  billedElsewhere = 0;

  constructor(bucket: LimitBucket, client: string, verdict: Verdict) {
    this.bucket = bucket;
    this.client = client;
    this.verdict = verdict;
    this.known = verdict;
  }
}

class FallbackLimiter implements Limiter {
  readonly #options: FallbackLimiterOptions;
  #isLocal = false;

  constructor(options: FallbackLimiterOptions) {
    this.#options = options;
  }

  take(bucket: LimitBucket, client: string, times = 1): Verdict | Promise<Verdict> {
    const { local, isUp } = this.#options;
    if (isUp()) return this.#takeShared(bucket, client, times);
    this.#goLocal();
    return local.take(bucket, client, times);
  }

  reserve(verdict: Verdict, bytes: number): number | Promise<number> {
    const { shared, local } = this.#options;
    const request = verdict.window;
    if (!(request instanceof SharedRequest)) return local.reserve(verdict, bytes);
    return this.#tryShared(
      () => shared.reserve(request.verdict, bytes),
      async () => {
        request.local ??= await local.take(request.bucket, request.client);
        const granted = await local.reserve(request.local, bytes);
        request.localReserved += granted;
        return granted;
      },
    );
  }

  settle(verdict: Verdict, reserved: number, billed: number): void | Promise<void> {
    const { local } = this.#options;
    const request = verdict.window;
    if (!(request instanceof SharedRequest)) return local.settle(verdict, reserved, billed);
    return this.#settleShared(request, reserved, billed);
  }

  pace(client: string, periodMs: number): number | Promise<number> {
    const { shared, local, isUp } = this.#options;
    if (!isUp()) return local.pace(client, periodMs);
    return this.#tryShared(
      () => shared.pace(client, periodMs),
      () => local.pace(client, periodMs),
    );
  }

  standing(verdict: Verdict): Standing | Promise<Standing> {
    const request = verdict.window;
    if (!(request instanceof SharedRequest)) return this.#options.local.standing(verdict);
    return this.#standingOf(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { shared, local } = this.#options;
    await Promise.all([shared[Symbol.asyncDispose](), local[Symbol.asyncDispose]()]);
  }

  async #takeShared(bucket: LimitBucket, client: string, times: number): Promise<Verdict> {
    const { shared, local } = this.#options;
    let verdict: Verdict;
    try {
      verdict = await shared.take(bucket, client, times);
    } catch (error) {
      this.#goLocal(error);
      return local.take(bucket, client, times);
    }
    this.#goShared();
    // Copied field by field, because every request passes here.
    const { requestCount, sentBytes, bytesLeft, windowStartedAtMs, retryAfterMs } = verdict;
    const { policy, allowed } = verdict;
    const window = new SharedRequest(bucket, client, verdict);
    return {
      requestCount,
      sentBytes,
      bytesLeft,
      windowStartedAtMs,
      retryAfterMs,
      policy,
      allowed,
      window,
    };
  }

  async #settleShared(request: SharedRequest, reserved: number, billed: number): Promise<void> {
    const { shared, local } = this.#options;
    const ofLocal = Math.min(reserved, request.localReserved);
    const billedLocally = Math.min(billed, ofLocal);
    if (request.local !== undefined && ofLocal > 0) {
      request.localReserved -= ofLocal;
      request.billedElsewhere += billedLocally;
      await local.settle(request.local, ofLocal, billedLocally);
    }
    if (reserved === ofLocal) return;
    const rest = billed - billedLocally;
    await this.#tryShared(
      () => shared.settle(request.verdict, reserved - ofLocal, rest),
      () => {
        request.billedElsewhere += rest;
      },
    );
  }

  async #standingOf(request: SharedRequest): Promise<Standing> {
    const { shared, local } = this.#options;
    const standing = await this.#tryShared(
      async () => (request.known = await shared.standing(request.verdict)),
      async () => {
        if (request.local === undefined) return request.known;
        const { bytesLeft } = await local.standing(request.local);
        return { ...request.known, bytesLeft };
      },
    );
    return { ...standing, sentBytes: standing.sentBytes + request.billedElsewhere };
  }

  async #tryShared<Result>(
    ask: () => Result | Promise<Result>,
    doLocally: () => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      this.#goLocal(error);
      return doLocally();
    }
  }

  #goLocal(error?: unknown): void {
    if (this.#isLocal) return;
    this.#isLocal = true;
    const fields = error === undefined ? {} : { err: error };
    this.#options.log.warn(fields, 'limits are counted in each process while Redis is unavailable');
  }

  #goShared(): void {
    if (!this.#isLocal) return;
    this.#isLocal = false;
    this.#options.log.info({}, 'limits are counted across processes again');
  }
}
