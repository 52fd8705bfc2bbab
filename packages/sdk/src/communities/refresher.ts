import type { Id, OwnCommunity } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import { ForbiddenError, mayPass, NotFoundError } from '../errors.ts';
import { backoffMs } from '../gateway/backoff.ts';

/** The means to read communities again, and the receivers of the answers. */
export interface RefresherOptions {
  readonly clock: SdkClock;
  readonly random: () => number;
  /** Aborted when nothing more is to be read. */
  readonly life: AbortSignal;
  readonly read: (id: Id, signal: AbortSignal) => Promise<OwnCommunity>;
  /** `newer` are the roles and channels that have changed since the community was asked for. */
  readonly onRead: (own: OwnCommunity, newer: ReadonlySet<Id>) => void;
  /** The community is not one of the person's own any more. */
  readonly onGone: (id: Id) => void;
}

interface Reading {
  /** While it waits. */
  stopTimer: (() => void) | undefined;
  attempt: number;
  isNeededAgain: boolean;
  newer: Set<Id>;
  readonly abort: AbortController;
}

/** Not all members of a community should ask in the same moment, and several changes often come together. */
const SPREAD_MS = 300;

/** Reads communities again after what events cannot show: once for all needs of a community that come together. */
export class Refresher {
  readonly #options: RefresherOptions;
  readonly #readings = new Map<Id, Reading>();

  constructor(options: RefresherOptions) {
    this.#options = options;
    options.life.addEventListener('abort', () => this.clear(), { once: true });
  }

  /** The community has to be read. */
  need(id: Id): void {
    if (this.#options.life.aborted) return;
    const known = this.#readings.get(id);
    if (known !== undefined) {
      known.isNeededAgain ||= known.stopTimer === undefined;
      return;
    }
    const reading: Reading = {
      stopTimer: undefined,
      attempt: 0,
      isNeededAgain: false,
      newer: new Set(),
      abort: new AbortController(),
    };
    this.#readings.set(id, reading);
    this.#wait(id, reading, Math.round(this.#options.random() * SPREAD_MS));
  }

  /** A role or channel has changed: an answer that is on its way may not show that. */
  changed(communityId: Id, id: Id): void {
    this.#readings.get(communityId)?.newer.add(id);
  }

  /** The community is of no interest any more. */
  forget(id: Id): void {
    const reading = this.#readings.get(id);
    reading?.stopTimer?.();
    this.#readings.delete(id);
    reading?.abort.abort();
  }

  clear(): void {
    for (const id of Array.from(this.#readings.keys())) this.forget(id);
  }

  #wait(id: Id, reading: Reading, delayMs: number): void {
    reading.stopTimer = this.#options.clock.after(delayMs, () => void this.#read(id, reading));
  }

  /** Never rejects. */
  async #read(id: Id, reading: Reading): Promise<void> {
    const { read, onRead, onGone, random } = this.#options;
    const isWanted = () => this.#readings.get(id) === reading;
    reading.stopTimer = undefined;
    reading.isNeededAgain = false;
    reading.newer = new Set();
    try {
      const own = await read(id, reading.abort.signal);
      if (!isWanted()) return;
      reading.attempt = 0;
      if (reading.isNeededAgain) this.#wait(id, reading, Math.round(random() * SPREAD_MS));
      else this.#readings.delete(id);
      onRead(own, reading.newer);
    } catch (error) {
      if (!isWanted()) return;
      reading.attempt += 1;
      if (mayPass(error)) return this.#wait(id, reading, backoffMs(reading.attempt, random));
      this.#readings.delete(id);
      if (error instanceof NotFoundError || error instanceof ForbiddenError) onGone(id);
    }
  }
}
