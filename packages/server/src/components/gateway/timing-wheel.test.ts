import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_SLOT, SLOT_MS, TimingWheel } from './timing-wheel.ts';

interface Entry {
  readonly name: number;
  readonly data: { wheelSlot: number };
}

type Step =
  | { readonly kind: 'schedule'; readonly entry: number; readonly inMs: number }
  | { readonly kind: 'remove'; readonly entry: number }
  | { readonly kind: 'advance'; readonly ms: number }
  /** A step of an entry when it is next due. */
  | { readonly kind: 'whenDue'; readonly entry: number; readonly act: Step };

const ENTRIES = 8;
const newEntry = (name = 0): Entry => ({ name, data: { wheelSlot: NO_SLOT } });

/** A wheel next to a plain list of what was scheduled. */
class Checked {
  now: number;
  readonly #entries = Array.from({ length: ENTRIES }, (_, name) => newEntry(name));
  readonly #waiting = new Map<number, { readonly dueAt: number; readonly askedAt: number }>();
  readonly #whenDue = new Map<number, Step>();
  readonly #wheel: TimingWheel<Entry>;

  constructor(now: number) {
    this.now = now;
    this.#wheel = new TimingWheel(now, ({ name }) => this.#onDue(name));
  }

  run(step: Step): void {
    switch (step.kind) {
      case 'schedule':
        this.#waiting.set(step.entry, { dueAt: this.now + step.inMs, askedAt: this.now });
        return this.#wheel.schedule(this.#entry(step.entry), this.now + step.inMs);
      case 'remove':
        this.#waiting.delete(step.entry);
        return this.#wheel.remove(this.#entry(step.entry));
      case 'whenDue':
        this.#whenDue.set(step.entry, step.act);
        return;
      case 'advance':
        this.now += step.ms;
        this.#wheel.advance(this.now);
        return this.#expectNoneForgotten();
    }
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  #onDue(name: number): void {
    const waited = this.#waiting.get(name);
    expect(waited).toBeDefined();
    expect(waited?.dueAt).toBeLessThanOrEqual(this.now);
    this.#waiting.delete(name);
    const act = this.#whenDue.get(name);
    this.#whenDue.delete(name);
    if (act !== undefined && act.kind !== 'advance') this.run(act);
  }

  #expectNoneForgotten(): void {
    for (const { dueAt, askedAt } of this.#waiting.values()) {
      expect(Math.max(dueAt, askedAt) + SLOT_MS).toBeGreaterThan(this.now);
    }
  }

  #entry(name: number): Entry {
    return this.#entries[name] ?? newEntry(name);
  }
}

const entry = fc.nat(ENTRIES - 1);
const direct: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('schedule'),
    entry,
    inMs: fc.integer({ min: -5_000, max: 80_000 }),
  }),
  fc.record({ kind: fc.constant('remove'), entry }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: direct },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance'), ms: fc.nat(1_500) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('advance'), ms: fc.nat(200_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('whenDue'), entry, act: direct }) },
);

test('[GW10] with any schedule, removals and halts, nothing is due early, twice, or more than a slot late', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.array(step, { maxLength: 120, size: 'max' }),
      (start, steps) => {
        const checked = new Checked(start);
        for (const each of steps) checked.run(each);
        // Each entry schedules another at most once.
        for (let round = 0; round <= ENTRIES; round += 1)
          checked.run({ kind: 'advance', ms: 100_000 });
        expect(checked.isIdle).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test('[GW10] an entry that is scheduled again while it is called waits for its new time, also after a halt', () => {
  const calls: number[] = [];
  let now = 0;
  const wheel = new TimingWheel<Entry>(now, (due) => {
    calls.push(now);
    if (calls.length < 4) wheel.schedule(due, now + 47_000);
  });
  wheel.schedule(newEntry(), 1_000);
  for (now of [999, 1_000, 47_999, 48_000, 3_600_000, 3_646_999, 3_647_000, 9_999_999])
    wheel.advance(now);
  expect(calls).toEqual([1_000, 48_000, 3_600_000, 3_647_000]);
});

test('[GW10] an entry that another removes or postpones while both are due is not called', () => {
  const calls: number[] = [];
  const [first, removed, postponed] = [newEntry(1), newEntry(2), newEntry(3)];
  const wheel = new TimingWheel<Entry>(0, ({ name }) => {
    calls.push(name);
    wheel.remove(removed);
    wheel.schedule(postponed, 60_000);
  });
  wheel.schedule(first, 1_000);
  wheel.schedule(removed, 1_000);
  wheel.schedule(postponed, 5_000);
  wheel.advance(30_000);
  expect(calls).toEqual([1]);
});
