import { FileSizeRateLimitedError } from '@hearth/protocol';
import type { Limiter, Verdict } from '../../../ports/limiter/limiter.ts';

/**
 * The bytes that one running upload may use of its client's window: what it announced is reserved as far as it fits,
 * and more if it proves larger. Exactly one of `bill` and `giveBack` ends it.
 */
export class ByteAllowance {
  readonly #limiter: Limiter;
  readonly #verdict: Verdict;
  #reserved: number;
  #spent = 0;

  private constructor(limiter: Limiter, verdict: Verdict, reserved: number) {
    this.#limiter = limiter;
    this.#verdict = verdict;
    this.#reserved = reserved;
  }

  /** Reserves as much of `announcedBytes` as is left. */
  static async open(
    limiter: Limiter,
    verdict: Verdict,
    announcedBytes: number,
  ): Promise<ByteAllowance> {
    return new ByteAllowance(limiter, verdict, await limiter.reserve(verdict, announcedBytes));
  }

  /** Returns what the upload can no longer need, now that it can be at most `bytes` long. */
  async shrinkTo(bytes: number): Promise<void> {
    const surplus = this.#reserved - Math.max(bytes, this.#spent);
    if (surplus <= 0) return;
    this.#reserved -= surplus;
    await this.#limiter.settle(this.#verdict, surplus, 0);
  }

  /** Uses bytes that have arrived. Throws FileSizeRateLimitedError if the window has no more. */
  async spend(bytes: number): Promise<void> {
    this.#spent += bytes;
    const missing = this.#spent - this.#reserved;
    if (missing <= 0) return;
    this.#reserved += await this.#limiter.reserve(this.#verdict, missing);
    if (this.#spent <= this.#reserved) return;
    await this.giveBack();
    const { retryAfterMs, bytesLeft } = await this.#limiter.standing(this.#verdict);
    throw new FileSizeRateLimitedError(retryAfterMs, bytesLeft);
  }

  bill(): Promise<void> {
    return this.#settle(this.#spent);
  }

  /** Bills nothing: a refused or broken upload costs its request only. */
  giveBack(): Promise<void> {
    return this.#settle(0);
  }

  async #settle(billed: number): Promise<void> {
    const reserved = this.#reserved;
    this.#reserved = 0;
    this.#spent = 0;
    if (reserved > 0) await this.#limiter.settle(this.#verdict, reserved, billed);
  }
}
