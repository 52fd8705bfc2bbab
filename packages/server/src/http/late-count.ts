import { RateLimitedError } from '@hearth/protocol';
import type { Counting } from '../counting.ts';
import type { Limiter, Verdict } from '../ports/limiter/limiter.ts';
import type { HttpBucket } from './limited.ts';

interface LateCountOptions {
  readonly limiter: Pick<Limiter, 'take'>;
  readonly bucket: HttpBucket;
  readonly client: string;
  /** The count for the address, at ten times the limit. */
  readonly verdict: Verdict;
}

/** Counts one request whose verb finds out for whom it counts. */
export class LateCount implements Counting {
  readonly #options: LateCountOptions;
  #counted: Verdict | undefined;

  constructor(options: LateCountOptions) {
    this.#options = options;
  }

  /** The last count, which the headers of the answer report. */
  get verdict(): Verdict {
    return this.#counted ?? this.#options.verdict;
  }

  async forAddress(): Promise<void> {
    await this.forKey(this.#options.bucket, this.#options.client);
  }

  async forKey(bucket: HttpBucket, key: string): Promise<void> {
    const verdict = await this.#options.limiter.take(bucket, key);
    this.#counted = verdict;
    if (!verdict.allowed) throw new RateLimitedError(verdict.retryAfterMs);
  }

  async forKeyHere(bucket: HttpBucket, key: string): Promise<void> {
    await this.forKey(bucket, `${key} at ${this.#options.client}`);
  }

  /** The error that answers a request: if nothing has counted it, it counts for the address, which may have no more left. */
  async failedWith(error: unknown): Promise<unknown> {
    if (this.#counted !== undefined) return error;
    try {
      await this.forAddress();
      return error;
    } catch (refusal) {
      return refusal;
    }
  }
}
