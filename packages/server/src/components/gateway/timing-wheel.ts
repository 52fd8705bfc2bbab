/** Length of a slot, in milliseconds: nothing is due earlier than asked, and at most this much later. */
export const SLOT_MS = 500;

/** The `wheelSlot` of an entry that waits for nothing. */
export const NO_SLOT = -1;

/** An entry of a wheel. */
export interface WheelEntry {
  readonly data: { wheelSlot: number };
}

/**
 * Calls back when entries are due, with one timer however many there are: `advance` is to be called about once a
 * {@link SLOT_MS}. Times are monotonic milliseconds.
 */
export class TimingWheel<Entry extends WheelEntry> {
  readonly #slots = new Map<number, Set<Entry>>();
  readonly #onDue: (entry: Entry) => void;
  #nextSlot: number;

  constructor(now: number, onDue: (entry: Entry) => void) {
    this.#nextSlot = Math.floor(now / SLOT_MS) + 1;
    this.#onDue = onDue;
  }

  /** Makes `entry` due at `at`, instead of when it was due before. */
  schedule(entry: Entry, at: number): void {
    this.remove(entry);
    const slot = Math.max(Math.ceil(at / SLOT_MS), this.#nextSlot);
    entry.data.wheelSlot = slot;
    const entries = this.#slots.get(slot);
    if (entries === undefined) this.#slots.set(slot, new Set([entry]));
    else entries.add(entry);
  }

  /** Takes `entry` out; harmless if it waits for nothing. */
  remove(entry: Entry): void {
    this.#slots.get(entry.data.wheelSlot)?.delete(entry);
    entry.data.wheelSlot = NO_SLOT;
  }

  /** Calls `onDue` for every entry that is due at `now`, which it may schedule again. */
  advance(now: number): void {
    const first = this.#nextSlot;
    // Before the callbacks, so that what they schedule is for a later call.
    this.#nextSlot = Math.max(first, Math.floor(now / SLOT_MS) + 1);
    for (let slot = first; slot < this.#nextSlot; slot += 1) this.#empty(slot);
  }

  #empty(slot: number): void {
    const entries = this.#slots.get(slot);
    this.#slots.delete(slot);
    for (const entry of entries ?? []) {
      // The callback of another entry may have removed or scheduled this one.
      if (entry.data.wheelSlot !== slot) continue;
      entry.data.wheelSlot = NO_SLOT;
      this.#onDue(entry);
    }
  }
}
