/** Length of a slot, in milliseconds: nothing is due earlier than asked and little more than this later. */
const SLOT_MS = 1_000;

/** Slots, so that the longest wait is just below this many. */
const SLOTS = 64;

/** What a wheel can hold. */
export interface WheelEntry {
  readonly data: { wheelSlot: number };
}

/**
 * Tells when entries are due, with one timer however many there are. `advance` is to be called about once a
 * {@link SLOT_MS}; waits are at most 62 s. Times are monotonic milliseconds.
 */
export class TimingWheel<Entry extends WheelEntry> {
  readonly #slots: readonly Set<Entry>[] = Array.from({ length: SLOTS }, () => new Set<Entry>());
  readonly #onDue: (entry: Entry) => void;
  #nextSlot: number;

  constructor(now: number, onDue: (entry: Entry) => void) {
    this.#nextSlot = Math.floor(now / SLOT_MS);
    this.#onDue = onDue;
  }

  /** Makes `entry` due at `at`, instead of when it was due before. */
  schedule(entry: Entry, at: number): void {
    this.remove(entry);
    const latest = this.#nextSlot + SLOTS - 1;
    const slot = Math.min(Math.max(Math.ceil(at / SLOT_MS), this.#nextSlot), latest);
    entry.data.wheelSlot = slot % SLOTS;
    this.#slots[entry.data.wheelSlot]?.add(entry);
  }

  /** Takes `entry` out; harmless when it is in no slot. */
  remove(entry: Entry): void {
    if (entry.data.wheelSlot === -1) return;
    this.#slots[entry.data.wheelSlot]?.delete(entry);
    entry.data.wheelSlot = -1;
  }

  /** Calls `onDue` for every entry that is due at `now`. */
  advance(now: number): void {
    const last = Math.min(Math.floor(now / SLOT_MS), this.#nextSlot + SLOTS - 1);
    while (this.#nextSlot <= last) {
      const slot = this.#slots[this.#nextSlot % SLOTS];
      // Before the entries are told, so that none can come back into the slot that is being emptied.
      this.#nextSlot += 1;
      for (const entry of slot ?? []) {
        slot?.delete(entry);
        entry.data.wheelSlot = -1;
        this.#onDue(entry);
      }
    }
    this.#nextSlot = Math.max(this.#nextSlot, Math.floor(now / SLOT_MS) + 1);
  }
}
