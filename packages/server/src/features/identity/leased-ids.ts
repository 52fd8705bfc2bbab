import { type Id, idFormatter, IDS_PER_SECOND } from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { IdSource } from '../../context.ts';
import { within } from '../../within.ts';
import type { IdBlock } from './id-leases.ts';

/** How long a block is used, so that identifiers tell about when they were made. */
export const BLOCK_AGE_MS = 5_000;

/** How long a new block is waited for where an old one is left: whoever asks is to have an answer in time (SC15). */
const NEW_BLOCK_MS = 100;

/** What identifiers of a process that shares its instance with others are made with. */
export interface LeasedIdsOptions {
  readonly instanceId: number;
  readonly clock: Clock;
  /** Leases a block that is behind all that were leased before. */
  readonly leaseIds: () => Promise<IdBlock>;
}

/**
 * Makes identifiers of one process of an instance that has several: they never repeat over all of them, and those of
 * one source grow. A block that is older than 5 s is let go for a new one; where none can be had soon, it is used up.
 */
export class LeasedIds implements IdSource {
  readonly #options: LeasedIdsOptions;
  readonly #format: ReturnType<typeof idFormatter>;
  #position = 0;
  #end = 0;
  #leasedAtMs = 0;
  #leasing: Promise<void> | undefined;

  constructor(options: LeasedIdsOptions) {
    this.#options = options;
    this.#format = idFormatter(options.instanceId);
  }

  /** The next identifier. Throws what leasing a block throws where none is left. */
  async next(): Promise<Id> {
    return await this.nextFor((id) => id);
  }

  /** Hands the next identifier to `use`, in the order of identifiers. Throws likewise, and what `use` throws. */
  nextFor<Result>(use: (id: Id) => Result): Result | Promise<Awaited<Result>> {
    return this.#isFresh() ? use(this.#take()) : this.#takeLeased(use);
  }

  async #takeLeased<Result>(use: (id: Id) => Result): Promise<Awaited<Result>> {
    do await this.#leased();
    while (this.#position >= this.#end);
    return settled(use(this.#take()));
  }

  async #leased(): Promise<void> {
    const leasing = (this.#leasing ??= this.#lease());
    await (this.#position < this.#end ? within(leasing, NEW_BLOCK_MS) : leasing);
  }

  #isFresh(): boolean {
    const ageMs = this.#options.clock.monotonicMs() - this.#leasedAtMs;
    return this.#position < this.#end && ageMs < BLOCK_AGE_MS;
  }

  #take(): Id {
    const position = this.#position;
    this.#position += 1;
    return this.#format(Math.floor(position / IDS_PER_SECOND), position % IDS_PER_SECOND);
  }

  async #lease(): Promise<void> {
    try {
      const { first, end } = await this.#options.leaseIds();
      [this.#position, this.#end] = [first, end];
      this.#leasedAtMs = this.#options.clock.monotonicMs();
    } catch (error) {
      if (this.#position >= this.#end) throw error;
    } finally {
      this.#leasing = undefined;
    }
  }
}

// Guarantee: whoever awaits it, as an async function does with what it returns, has the awaited result.
function settled<Result>(result: Result): Awaited<Result> {
  return result as Awaited<Result>;
}
