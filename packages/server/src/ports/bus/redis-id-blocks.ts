import { within } from '../../lib/within.ts';

/** Identifiers leased by one process, as positions: from `first` up to `end`, which is excluded. */
export interface IdBlock {
  readonly first: number;
  readonly end: number;
  /** The distance between two identifiers. */
  readonly step: number;
}

/** A block and the epoch for which it was leased. In another epoch, greater identifiers may have been used already. */
export interface LeasedBlock extends IdBlock {
  readonly epoch: string;
}

/** The time that leasing a block may take before the stream continues with old identifiers. */
const PATIENCE_MS = 300;

/** The time to continue with old identifiers after a failure before the next attempt. */
const RETRY_MS = 1_000;

/** A block that was unused for this long would give identifiers of the past. */
const STALE_MS = 5_000;

/** Blocks of identifiers, leased when the stream needs them. */
export class IdBlocks {
  readonly #leaseIds: () => Promise<IdBlock>;
  #spare: { readonly block: LeasedBlock; readonly at: number } | undefined;
  #leasing: Promise<void> | undefined;
  #failedAt = -Infinity;

  constructor(leaseIds: () => Promise<IdBlock>) {
    this.#leaseIds = leaseIds;
  }

  /** A block that the stream has not used yet. */
  get spare(): LeasedBlock | undefined {
    if (this.#spare !== undefined && performance.now() - this.#spare.at > STALE_MS) {
      this.#spare = undefined;
    }
    return this.#spare?.block;
  }

  /** True if the stream has to continue with old identifiers, because no new ones are available at the moment. */
  get mustDo(): boolean {
    return this.#leasing !== undefined || performance.now() - this.#failedAt < RETRY_MS;
  }

  /** Forgets the spare block after it was sent to the stream. */
  forget(block: LeasedBlock | undefined): void {
    if (this.#spare?.block === block) this.#spare = undefined;
  }

  /** Resolves when there is a spare block for the epoch; rejects if none can be leased. */
  lease(epoch: string): Promise<void> {
    return (this.#leasing ??= this.#lease(epoch).finally(() => {
      this.#leasing = undefined;
    }));
  }

  /** Like {@link lease}, but resolves even if that fails or takes too long. */
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
