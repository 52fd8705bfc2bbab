import { within } from '../../lib/within.ts';

/** Identifiers of one process, by position: from `first` up to but without `end`. */
export interface IdBlock {
  readonly first: number;
  readonly end: number;
  /** The distance between two of them. */
  readonly step: number;
}

/** A block, and the epoch of the stream in which it was asked for: in another it could be behind what was given. */
export interface LeasedBlock extends IdBlock {
  readonly epoch: string;
}

/** How long the stream's next identifiers may take before old ones have to do. */
const PATIENCE_MS = 300;

/** After a failure, for how long old ones have to do before the next attempt. */
const RETRY_MS = 1_000;

/** A block that lay around for so long would give identifiers of the past. */
const STALE_MS = 5_000;

/** The blocks of identifiers that the stream is given when it asks. */
export class IdBlocks {
  readonly #leaseIds: () => Promise<IdBlock>;
  #spare: { readonly block: LeasedBlock; readonly at: number } | undefined;
  #leasing: Promise<void> | undefined;
  #failedAt = -Infinity;

  constructor(leaseIds: () => Promise<IdBlock>) {
    this.#leaseIds = leaseIds;
  }

  /** A block that the stream has not been given. */
  get spare(): LeasedBlock | undefined {
    if (this.#spare !== undefined && performance.now() - this.#spare.at > STALE_MS) {
      this.#spare = undefined;
    }
    return this.#spare?.block;
  }

  /** Whether old identifiers have to do, because no others are to be had just now. */
  get mustDo(): boolean {
    return this.#leasing !== undefined || performance.now() - this.#failedAt < RETRY_MS;
  }

  /** Gives the spare block up, which the stream was given. */
  forget(block: LeasedBlock | undefined): void {
    if (this.#spare?.block === block) this.#spare = undefined;
  }

  /** Resolves when there is a spare block for an epoch; rejects where there can be none. */
  lease(epoch: string): Promise<void> {
    return (this.#leasing ??= this.#lease(epoch).finally(() => {
      this.#leasing = undefined;
    }));
  }

  /** The same, and resolves also where that fails or takes its time. */
  async tryLease(epoch: string): Promise<void> {
    await within(this.lease(epoch), PATIENCE_MS);
  }

  async #lease(epoch: string): Promise<void> {
    try {
      const leased = await this.#leaseIds();
      this.#spare = { block: { ...leased, epoch }, at: performance.now() };
      this.#failedAt = -Infinity;
    } catch (error) {
      this.#failedAt = performance.now();
      throw error;
    }
  }
}
