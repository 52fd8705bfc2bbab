import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ReplayBounds } from '../../ports/bus/bus.ts';
import type { StreamPosition } from '../../ports/bus/bus.ts';
import { Replay, type Keeping, type ReplayBuffer } from './replay-buffer.ts';

const EVENT = { op: 'MESSAGE_CREATE', d: {} };

const MINUTE_MS = 60_000;
const ROOMY: ReplayBounds = { events: 100, minutes: 10, bytes: 1_000_000 };

type Step =
  | { readonly kind: 'push'; readonly bytes: number }
  /** The stream continues after events that this buffer never received. */
  | { readonly kind: 'gap'; readonly missing: number }
  /** Another epoch begins, at any position. */
  | { readonly kind: 'epoch'; readonly position: number }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'trim' };

interface Kept {
  readonly position: number;
  readonly text: string;
  readonly bytes: number;
  readonly at: number;
}

/** A buffer next to a plain list of what it should have. */
class Checked {
  readonly #bounds: ReplayBounds;
  readonly #buffer: ReplayBuffer;
  #now = 0;
  #epochs = 1;
  #position: number;
  #kept: Kept[] = [];
  /** True if what was too old or too much may be kept until the next read. */
  #isTrimmed = true;

  constructor(bounds: ReplayBounds, position: number) {
    this.#bounds = bounds;
    this.#position = position;
    const clock = { monotonicMs: () => this.#now };
    this.#buffer = new Replay(bounds, clock).open({ epoch: this.#epoch, position });
  }

  run(step: Step): void {
    switch (step.kind) {
      case 'push':
        return this.#push(this.#position + 1, step.bytes);
      case 'gap':
        this.#kept = [];
        return this.#push(this.#position + 1 + step.missing, 10);
      case 'epoch':
        this.#kept = [];
        this.#epochs += 1;
        return this.#push(step.position, 10);
      case 'time':
        this.#now += step.ms;
        this.#isTrimmed &&= step.ms === 0;
        return;
      case 'trim':
        this.#buffer.trim();
        return this.#trim();
    }
  }

  /** Compares everything that can be read. Single events come first, because other reads discard old ones. */
  check(): void {
    expect(this.#buffer.head).toEqual({ epoch: this.#epoch, position: this.#position });
    if (this.#isTrimmed) this.#checkEvents();
    const from = Math.max(0, this.#position - this.#bounds.events - 5);
    this.#trim();
    for (let position = from; position <= this.#position + 3; position += 1) {
      const isKept = this.#buffer.hasAllAfter({ epoch: this.#epoch, position });
      const isOld = position < this.#position - this.#kept.length;
      expect([position, isKept]).toEqual([position, !isOld && position <= this.#position]);
      expect(this.#buffer.hasAllAfter({ epoch: 'another', position })).toBe(false);
    }
    this.#checkEvents();
  }

  #checkEvents(): void {
    const kept = new Map(this.#kept.map(({ position, text }) => [position, text]));
    const from = Math.max(0, this.#position - this.#bounds.events - 5);
    for (let position = from; position <= this.#position + 3; position += 1) {
      expect([position, this.#buffer.at(position)]).toEqual([position, kept.get(position)]);
    }
  }

  #push(position: number, bytes: number): void {
    const text = `${this.#epoch} ${position}`;
    this.#position = position;
    this.#buffer.push({ epoch: this.#epoch, position }, { event: EVENT, text, bytes });
    this.#kept.push({ position, text, bytes, at: this.#now });
    this.#trim();
  }

  #trim(): void {
    const { events, minutes, bytes } = this.#bounds;
    const fits = () =>
      this.#kept.length <= events &&
      this.#kept.every(({ at }) => at >= this.#now - minutes * MINUTE_MS) &&
      this.#kept.reduce((sum, each) => sum + each.bytes, 0) <= bytes;
    while (!fits()) this.#kept.shift();
    this.#isTrimmed = true;
  }

  get #epoch(): string {
    return `epoch ${this.#epochs}`;
  }
}

const bounds: fc.Arbitrary<ReplayBounds> = fc.record({
  events: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 3, max: 12 }), fc.constant(1_000)),
  minutes: fc.integer({ min: 1, max: 3 }),
  bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 800 }), fc.constant(1_000_000)),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('push'), bytes: fc.integer({ min: 1, max: 200 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('time'),
      ms: fc.oneof(fc.nat(2), fc.nat(40_000), fc.constantFrom(MINUTE_MS, 2 * MINUTE_MS)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trim') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('gap'),
      missing: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: -5, max: -1 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('epoch'), position: fc.nat(30) }),
  },
);

test('[LB18][LB20] with any events and times, the newest events are kept without a gap, within number, age and bytes', () => {
  fc.assert(
    fc.property(
      bounds,
      fc.integer({ min: 10, max: 40 }),
      fc.array(fc.tuple(step, fc.boolean()), { maxLength: 60, size: 'max' }),
      (limits, position, steps) => {
        const checked = new Checked(limits, position);
        checked.check();
        for (const [each, isLookedAt] of steps) {
          checked.run(each);
          // Reading discards old events: most steps come without.
          if (isLookedAt) checked.check();
        }
        checked.check();
      },
    ),
    { numRuns: 400 },
  );
});

/** A buffer at position 0 of the epoch "E". The test sets its time. */
function openBuffer(limits: Partial<ReplayBounds>) {
  const time = { now: 0 };
  const clock = { monotonicMs: () => time.now };
  const buffer = new Replay({ ...ROOMY, ...limits }, clock).open({ epoch: 'E', position: 0 });
  const push = (position: number, bytes = 1) =>
    buffer.push({ epoch: 'E', position }, { event: EVENT, text: `event ${position}`, bytes });
  const oldest = () => {
    let position = buffer.head.position;
    while (position > 0 && buffer.hasAllAfter({ epoch: 'E', position: position - 1 }))
      position -= 1;
    return position + 1;
  };
  return { buffer, push, oldest, time };
}

test('[LB20] if there are more events than are kept, each new one removes the oldest', () => {
  const { buffer, push, oldest } = openBuffer({ events: 3 });
  for (let position = 1; position <= 8; position += 1) {
    push(position);
    const first = Math.max(1, position - 2);
    expect(oldest()).toBe(first);
    for (let each = first; each <= position; each += 1)
      expect(buffer.at(each)).toBe(`event ${each}`);
    expect(buffer.at(first - 1)).toBeUndefined();
  }
});

test('[LB20] an event is kept for the configured time and not a moment longer', () => {
  const { buffer, push, oldest, time } = openBuffer({ minutes: 2 });
  push(1);
  time.now = 30_000;
  push(2);
  time.now = 2 * MINUTE_MS;
  expect(oldest()).toBe(1);
  time.now += 1;
  expect(oldest()).toBe(2);
  expect(buffer.at(1)).toBeUndefined();
  time.now = 10 * MINUTE_MS;
  buffer.trim();
  expect(buffer.at(2)).toBeUndefined();
  expect(oldest()).toBe(3);
});

test('[LB20] the bytes of the kept events are bounded, in addition to their number', () => {
  const { push, oldest } = openBuffer({ events: 4, bytes: 100 });
  for (let position = 1; position <= 20; position += 1) push(position, 10);
  expect(oldest()).toBe(17);
  push(21, 80);
  expect(oldest()).toBe(19);
  push(22, 100);
  expect(oldest()).toBe(22);
  push(23, 101);
  expect(oldest()).toBe(24);
  push(24, 1);
  expect(oldest()).toBe(24);
});

test('[LB18] if nothing is kept, a client can continue from the newest event alone', () => {
  const { buffer, push } = openBuffer({ events: 0 });
  for (let position = 1; position <= 3; position += 1) {
    push(position);
    expect(buffer.head).toEqual({ epoch: 'E', position });
    expect(buffer.hasAllAfter({ epoch: 'E', position })).toBe(true);
    expect(buffer.hasAllAfter({ epoch: 'E', position: position - 1 })).toBe(false);
    expect(buffer.at(position)).toBeUndefined();
  }
});

test('[LB19] events before another epoch, or before a gap, are not sent as if they belonged together', () => {
  const { buffer, push } = openBuffer({});
  push(1);
  push(2);
  push(5);
  expect([1, 2, 3, 4, 5].map((position) => buffer.at(position))).toEqual([
    ...[undefined, undefined, undefined, undefined],
    'event 5',
  ]);
  expect(buffer.hasAllAfter({ epoch: 'E', position: 3 })).toBe(false);
  expect(buffer.hasAllAfter({ epoch: 'E', position: 4 })).toBe(true);
  buffer.push({ epoch: 'F', position: 6 }, { event: EVENT, text: 'event of F', bytes: 1 });
  expect(buffer.at(5)).toBeUndefined();
  expect(buffer.at(6)).toBe('event of F');
  expect(buffer.hasAllAfter({ epoch: 'E', position: 6 })).toBe(false);
  expect(buffer.hasAllAfter({ epoch: 'F', position: 5 })).toBe(true);
  expect(buffer.hasAllAfter({ epoch: 'F', position: 7 })).toBe(false);
});

test('[LB20] earlier events are kept within the same bounds, with their own age', () => {
  const { buffer, push, time, oldest } = openBuffer({ events: 4, minutes: 10, bytes: 100 });
  time.now = 60 * MINUTE_MS;
  const begin = (at: StreamPosition, events: readonly Omit<Keeping, 'event'>[]) => {
    const { epoch, position } = at;
    buffer.begin({ epoch, position: position - events.length });
    for (const { text, ...size } of events) {
      buffer.push({ epoch, position: buffer.head.position + 1 }, { event: EVENT, text, ...size });
    }
  };
  const earlier = (count: number, { bytes = 10, ageMs = 0 } = {}) =>
    Array.from({ length: count }, (_, i) => ({ text: `earlier ${i}`, bytes, ageMs }));
  begin({ epoch: 'E', position: 20 }, earlier(6));
  expect([oldest(), buffer.at(20), buffer.at(17)]).toEqual([17, 'earlier 5', 'earlier 2']);
  push(21);
  expect([oldest(), buffer.at(20)]).toEqual([18, 'earlier 5']);
  begin({ epoch: 'F', position: 3 }, earlier(3, { bytes: 40 }));
  expect(buffer.head).toEqual({ epoch: 'F', position: 3 });
  expect([1, 2, 3].map((position) => buffer.at(position))).toEqual([
    ...[undefined, 'earlier 1'],
    'earlier 2',
  ]);
  expect(buffer.hasAllAfter({ epoch: 'E', position: 21 })).toBe(false);
  const old = earlier(1, { ageMs: 10 * MINUTE_MS + 1 });
  const ahead = earlier(1, { ageMs: -5 * MINUTE_MS });
  begin({ epoch: 'G', position: 3 }, [...old, ...ahead]);
  expect([buffer.at(2), buffer.at(3)]).toEqual([undefined, 'earlier 0']);
  time.now += 10 * MINUTE_MS + 1;
  expect(buffer.hasAllAfter({ epoch: 'G', position: 2 })).toBe(false);
  expect(buffer.hasAllAfter({ epoch: 'G', position: 3 })).toBe(true);
  begin({ epoch: 'H', position: 0 }, []);
  expect(buffer.hasAllAfter({ epoch: 'H', position: 0 })).toBe(true);
});

test('an event that replaces another counts with its own bytes', () => {
  const bounds = { ...ROOMY, bytes: 100 };
  const buffer = new Replay(bounds, { monotonicMs: () => 0 }).open({ epoch: 'E', position: 0 });
  const event = (id: string) => ({ op: 'MESSAGE_CREATE', d: { id } });
  buffer.push({ epoch: 'E', position: 1 }, { event: event('7'), text: 'a'.repeat(60), bytes: 60 });
  buffer.push({ epoch: 'E', position: 2 }, { event: event('8'), text: 'b', bytes: 1 });
  buffer.rewrite(
    ({ id }) => (id === '7' ? event('9') : undefined),
    ({ d }, position) => `${position}é${JSON.stringify(d)}`,
  );
  buffer.rewrite(({ id }) => (id === '7' ? event('1') : undefined), String);
  buffer.push({ epoch: 'E', position: 3 }, { event: EVENT, text: 'c'.repeat(86), bytes: 86 });
  expect([1, 2, 3].map((position) => buffer.at(position))).toEqual([
    '1é{"id":"9"}',
    'b',
    'c'.repeat(86),
  ]);
  buffer.push({ epoch: 'E', position: 4 }, { event: EVENT, text: 'd', bytes: 1 });
  expect(buffer.hasAllAfter({ epoch: 'E', position: 0 })).toBe(false);
});
