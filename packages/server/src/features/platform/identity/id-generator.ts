import { IDS_PER_SECOND, idFormatter, ServerError, type Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { IdSource } from '../../../ports/bus/id-source.ts';
import { within } from '../../../lib/within.ts';
import { firstPosition, idSeconds, positionAfter, type ResidueClass } from './residue-class.ts';

/** The time in seconds that identifiers may run ahead of time. */
export const MAX_DEBT_SECONDS = 60;

/** Identifiers reserved at once. A crash loses at most this many, so that restarts in quick succession cost little. */
const RESERVED_IDS = 4_096;

/** Seconds reserved ahead of time, so that an instance with little traffic rarely stores its mark. */
const RESERVED_SECONDS = 5;

/** The time in milliseconds that a stop may take to return what was reserved. */
const GIVE_BACK_MS = 1_000;

/** Positions that nobody else draws: those of a class from `from` up to, but without, `end`. */
export interface IdReservation {
  readonly positions: ResidueClass;
  readonly from: number;
  readonly end: number;
}

/** The point from which the generator starts, and the place where it stores how far it may go. */
export interface IdGeneratorOptions {
  readonly instanceId: number;
  readonly clock: Clock;
  /** The identifiers that were reserved last; all of them may already be used. */
  readonly reserved: IdReservation;
  /** The time in seconds for which positions are reserved ahead of time. */
  readonly reservedSeconds?: number;
  /** Reserves durably up to a position, in the same class or from now on in another. */
  readonly reserve: (end: number) => Promise<IdReservation>;
  /** Returns what is reserved from a position on. */
  readonly release: (from: number) => Promise<void>;
}

/**
 * Makes identifiers from positions that only ever rise: the first one of the current second, or the one after the last
 * if that is further. A full second borrows from the next, and neither a clock that steps back nor a restart can
 * repeat an identifier. Positions are reserved in the store before they are used (Resources: Identifier format).
 */
export class IdGenerator implements IdSource, AsyncDisposable {
  readonly #options: IdGeneratorOptions;
  readonly #format: ReturnType<typeof idFormatter>;
  /** The last second in which nothing was borrowed, or the mark's at the start: debt is what was borrowed since. */
  #anchorSeconds: number;
  #anchoredAtMs: number;
  #positions: ResidueClass;
  #position: number;
  /** The first position that is not reserved. */
  #mark: number;
  #reservation: Promise<void> | undefined;

  constructor(options: IdGeneratorOptions) {
    this.#options = options;
    this.#format = idFormatter(options.instanceId);
    const { positions, end } = options.reserved;
    this.#positions = positions;
    this.#position = firstPosition(positions, end);
    this.#mark = end;
    this.#anchoredAtMs = options.clock.monotonicMs();
    const markSeconds = Math.floor(end / IDS_PER_SECOND);
    this.#anchorSeconds = Math.max(idSeconds(this.#options.clock), markSeconds);
  }

  /** The next identifier. Throws ServerError beyond {@link MAX_DEBT_SECONDS} of debt, and whatever storing the mark throws. */
  async next(): Promise<Id> {
    // Awaited, so that it is returned as soon after it was made as one that is available, and in that order.
    return await this.nextFor((id) => id);
  }

  /**
   * An identifier that is greater than another, and than all that were made here. Throws what storing the mark throws.
   */
  async after(id: Id): Promise<Id> {
    this.#goBeyond(id);
    return this.next();
  }

  /** Returns such an identifier at once; undefined if none is reserved. Throws ServerError as `next` does. */
  afterNow(id: Id): Id | undefined {
    this.#goBeyond(id);
    return this.#position < this.#mark ? this.#take() : undefined;
  }

  /** Reserves ahead of time, so that nobody has to wait for it. */
  async reserveAhead(): Promise<void> {
    this.#catchUp();
    await (this.#reservation ??= this.#reserve());
  }

  /**
   * Passes the next identifier to `use`, in the order of identifiers. Throws the same errors, and what `use` throws.
   */
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
    this.#position += this.#positions.step;
    return this.#format(Math.floor(position / IDS_PER_SECOND), position % IDS_PER_SECOND);
  }

  /** Returns what is reserved and not used. If that fails or takes long, it simply stays unused. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reservation?.catch(() => {});
    if (this.#position >= this.#mark) return;
    // First, so that an identifier requested meanwhile makes a new reservation.
    this.#mark = this.#position;
    await within(this.#options.release(this.#position), GIVE_BACK_MS);
  }

  #goBeyond(id: Id): void {
    this.#catchUp();
    this.#goTo(positionAfter(id, this.#options.instanceId));
  }

  /** Continues with a later position. This adds no debt: it was not this process that borrowed up to there. */
  #goTo(least: number): void {
    if (least <= this.#position) return;
    this.#position = firstPosition(this.#positions, least);
    this.#anchorSeconds = Math.max(
      idSeconds(this.#options.clock),
      Math.floor(least / IDS_PER_SECOND),
    );
    this.#anchoredAtMs = this.#options.clock.monotonicMs();
  }

  #catchUp(): void {
    const unixSeconds = idSeconds(this.#options.clock);
    if (unixSeconds * IDS_PER_SECOND > this.#position) {
      this.#position = firstPosition(this.#positions, unixSeconds * IDS_PER_SECOND);
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
      const { reservedSeconds = RESERVED_SECONDS, reserve } = this.#options;
      const ahead = (idSeconds(this.#options.clock) + reservedSeconds) * IDS_PER_SECOND;
      const most = this.#position + RESERVED_IDS * this.#positions.step;
      const { positions, from, end } = await reserve(Math.max(most, ahead));
      this.#positions = positions;
      this.#position = firstPosition(positions, this.#position);
      this.#goTo(from);
      this.#mark = end;
    } finally {
      this.#reservation = undefined;
    }
  }

  #elapsedSeconds(): number {
    const sinceAnchor = (this.#options.clock.monotonicMs() - this.#anchoredAtMs) / 1000;
    return Math.max(idSeconds(this.#options.clock), Math.floor(this.#anchorSeconds + sinceAnchor));
  }
}

/** The result of an async function, as those who await it have it. */
// Guarantee: a caller that awaits it, as an async function does with what it returns, has the awaited result.
export function settled<Result>(result: Result): Awaited<Result> {
  return result as Awaited<Result>;
}
