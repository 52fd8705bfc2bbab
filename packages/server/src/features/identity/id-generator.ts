import {
  ID_EPOCH_SECONDS,
  IDS_PER_SECOND,
  idFormatter,
  ServerError,
  type Id,
} from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { IdSource } from '../../context.ts';
import { within } from '../../within.ts';

/** How far identifiers may run ahead of time, in seconds. */
export const MAX_DEBT_SECONDS = 60;

/** Identifiers reserved at once. A crash loses at most so many, so that restarts in quick succession cost little. */
const RESERVED_IDS = 4_096;

/** Seconds reserved ahead of time, so that an instance with little to do stores its mark rarely. */
const RESERVED_SECONDS = 5;

/** How long a stop may take to give back what was reserved, in milliseconds. */
const GIVE_BACK_MS = 1_000;

/** What the generator starts from and where it stores how far it may go. */
export interface IdGeneratorOptions {
  readonly instanceId: number;
  readonly clock: Clock;
  /** The first position that was never reserved: seconds since the epoch times 65,536 plus sequence. */
  readonly mark: number;
  /** Stores a mark durably. */
  readonly storeMark: (mark: number) => Promise<void>;
}

/**
 * Makes identifiers from positions that only ever rise: the current second's first one, or the one after the last
 * where that is further. So a full second borrows from the next, and neither a clock that steps back nor a restart
 * can repeat one; positions are reserved in the store before they are used (Resources: Identifier format).
 */
export class IdGenerator implements IdSource, AsyncDisposable {
  readonly #options: IdGeneratorOptions;
  readonly #format: ReturnType<typeof idFormatter>;
  /** The second in which nothing was borrowed last, or the mark's at the start: debt is what was borrowed since. */
  #anchorSeconds: number;
  #anchoredAtMs: number;
  #position: number;
  #mark: number;
  #reservation: Promise<void> | undefined;

  constructor(options: IdGeneratorOptions) {
    this.#options = options;
    this.#format = idFormatter(options.instanceId);
    this.#position = options.mark;
    this.#mark = options.mark;
    this.#anchoredAtMs = options.clock.monotonicMs();
    const markSeconds = Math.floor(options.mark / IDS_PER_SECOND);
    this.#anchorSeconds = Math.max(this.#unixSeconds(), markSeconds);
  }

  /** The next identifier. Throws ServerError beyond {@link MAX_DEBT_SECONDS} of debt, and whatever storing the mark throws. */
  async next(): Promise<Id> {
    // Awaited, so that it is given as soon after it was made as one that is at hand, and in that order.
    return await this.nextFor((id) => id);
  }

  /** Hands the next identifier to `use`, in the order of identifiers. Throws likewise, and what `use` throws. */
  nextFor<Result>(use: (id: Id) => Result): Result | Promise<Awaited<Result>> {
    this.#catchUp();
    return this.#position < this.#mark ? use(this.#take()) : this.#takeReserved(use);
  }

  async #takeReserved<Result>(use: (id: Id) => Result): Promise<Awaited<Result>> {
    while (this.#position >= this.#mark) {
      await (this.#reservation ??= this.#reserve());
      this.#catchUp();
    }
    return settled(use(this.#take()));
  }

  #take(): Id {
    const position = this.#position;
    this.#position += 1;
    return this.#format(Math.floor(position / IDS_PER_SECOND), position % IDS_PER_SECOND);
  }

  /** Gives back what is reserved and not used; where that fails or takes long, it is only never used. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reservation?.catch(() => {});
    if (this.#position >= this.#mark) return;
    // First, so that an identifier asked for meanwhile is reserved anew.
    this.#mark = this.#position;
    await within(this.#options.storeMark(this.#position), GIVE_BACK_MS);
  }

  #catchUp(): void {
    const unixSeconds = this.#unixSeconds();
    if (unixSeconds * IDS_PER_SECOND > this.#position) {
      this.#position = unixSeconds * IDS_PER_SECOND;
      this.#anchorSeconds = unixSeconds;
      this.#anchoredAtMs = this.#options.clock.monotonicMs();
    }
    const seconds = Math.floor(this.#position / IDS_PER_SECOND);
    if (seconds <= unixSeconds) return;
    const debtSeconds = seconds - this.#elapsedSeconds();
    if (debtSeconds > MAX_DEBT_SECONDS) throw new ServerError('Making an identifier');
  }

  async #reserve(): Promise<void> {
    try {
      const ahead = (this.#unixSeconds() + RESERVED_SECONDS) * IDS_PER_SECOND;
      const mark = Math.max(this.#position + RESERVED_IDS, ahead);
      await this.#options.storeMark(mark);
      this.#mark = mark;
    } finally {
      this.#reservation = undefined;
    }
  }

  #unixSeconds(): number {
    return Math.max(0, Math.floor(this.#options.clock.unixMs() / 1000) - ID_EPOCH_SECONDS);
  }

  #elapsedSeconds(): number {
    const sinceAnchor = (this.#options.clock.monotonicMs() - this.#anchoredAtMs) / 1000;
    return Math.max(this.#unixSeconds(), Math.floor(this.#anchorSeconds + sinceAnchor));
  }
}

// Guarantee: whoever awaits it, as an async function does with what it returns, has the awaited result.
function settled<Result>(result: Result): Awaited<Result> {
  return result as Awaited<Result>;
}
