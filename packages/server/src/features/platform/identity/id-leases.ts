import { IDS_PER_SECOND, ServerError } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { KEPT, type Database, type Writer } from '../../../ports/database/database.ts';
import { MAX_DEBT_SECONDS } from './id-generator.ts';
import { firstPosition, idSeconds, LOBBY_POSITIONS } from './residue-class.ts';
import { lockLease, writeLease } from './store.ts';

/** Identifiers that are leased at once. */
export const LEASED_IDS = 4_096;

/** Positions of identifiers that nobody else is given: `first`, and others at a distance of `step`, below `end`. */
export interface IdBlock {
  readonly first: number;
  /** The first position after the block. */
  readonly end: number;
  readonly step: number;
}

/**
 * Leases blocks of the lobby's positions to the bus of an instance: the first one of the current second, or the one
 * after all that were leased or used by an embedded instance, if that is further. Debt is not how late the machine's
 * clock is, but what was leased since the last block that began in its own second: the clocks of several machines
 * differ, and one that was set forward for a moment must not stop the others until its time has come.
 */
export class IdLeases {
  readonly #database: Database;
  readonly #clock: Clock;
  /** The last second in which nothing was borrowed, as stored in the database, and when this process first saw that. */
  #anchor: { readonly seconds: number; readonly seenAtMs: number } | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Throws ServerError beyond {@link MAX_DEBT_SECONDS} of debt, and what the database throws. */
  async lease(): Promise<IdBlock> {
    const { block, anchor } = await this.#database.transaction(({ sql }) => this.#take(sql), KEPT);
    this.#anchor = anchor;
    return block;
  }

  async #take(writer: Writer) {
    const { mark, anchorSeconds } = await lockLease(writer);
    const nowSeconds = idSeconds(this.#clock);
    const start = Math.max(mark, nowSeconds * IDS_PER_SECOND);
    const first = firstPosition(LOBBY_POSITIONS, start);
    const firstSeconds = Math.floor(first / IDS_PER_SECOND);
    // There is no debt after a start, as in a single process: the age of the last anchor is unknown.
    const isAhead = start === mark && this.#anchor !== undefined;
    const seconds = isAhead ? (anchorSeconds ?? firstSeconds) : firstSeconds;
    const anchor = this.#seen(seconds);
    const elapsedMs = this.#clock.monotonicMs() - anchor.seenAtMs;
    const elapsedSeconds = Math.max(nowSeconds, Math.floor(seconds + elapsedMs / 1_000));
    if (firstSeconds - elapsedSeconds > MAX_DEBT_SECONDS)
      throw new ServerError('Making an identifier');
    const { step } = LOBBY_POSITIONS;
    const end = first + LEASED_IDS * step;
    await writeLease(writer, { mark: end, anchorSeconds: seconds });
    return { block: { first, end, step }, anchor };
  }

  #seen(seconds: number) {
    if (this.#anchor?.seconds === seconds) return this.#anchor;
    return { seconds, seenAtMs: this.#clock.monotonicMs() };
  }
}
