import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Replay, type ReplayBuffer } from './replay-buffer.ts';

const EVENT = { op: 'MESSAGE_CREATE', d: {} };

const EVENTS = 6;
const BYTES = 60;
const MINUTE_MS = 60_000;

interface Kept {
  readonly stream: number;
  readonly position: number;
  readonly bytes: number;
  readonly at: number;
}

const step = fc.record({
  stream: fc.nat(3),
  bytes: fc.integer({ min: 1, max: 30 }),
  passedMs: fc.oneof(fc.constant(0), fc.nat(MINUTE_MS)),
});

test('[ST4] whatever streams publish, the newest events of all together are kept, and the oldest of any is removed first', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let now = 0;
      const bounds = { events: EVENTS, minutes: 1, bytes: BYTES };
      const replay = new Replay(bounds, { monotonicMs: () => now });
      const buffers: ReplayBuffer[] = [0, 1, 2, 3].map(() =>
        replay.open({ epoch: 'E', position: 0 }),
      );
      let kept: Kept[] = [];
      const fits = () =>
        kept.length <= EVENTS &&
        kept.reduce((sum, { bytes }) => sum + bytes, 0) <= BYTES &&
        kept.every(({ at }) => at >= now - MINUTE_MS);
      for (const { stream, bytes, passedMs } of steps) {
        now += passedMs;
        const buffer = buffers[stream];
        if (buffer === undefined) continue;
        const position = buffer.head.position + 1;
        buffer.push(
          { epoch: 'E', position },
          { event: EVENT, text: `${stream} ${position}`, bytes },
        );
        kept.push({ stream, position, bytes, at: now });
        while (!fits()) kept = kept.slice(1);
        for (const [index, each] of buffers.entries()) {
          const own = kept.filter((event) => event.stream === index);
          const from = each.head.position - own.length;
          expect(each.hasAllAfter({ epoch: 'E', position: from })).toBe(true);
          expect(each.hasAllAfter({ epoch: 'E', position: from - 1 })).toBe(false);
          expect(own.map((event) => each.at(event.position))).toEqual(
            own.map((event) => `${index} ${event.position}`),
          );
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('[ST4] a stream that starts again frees the room of its events for others', () => {
  const replay = new Replay({ events: 3, minutes: 1, bytes: 1_000 }, { monotonicMs: () => 0 });
  const [one, other] = ['one', 'other'].map(() => replay.open({ epoch: 'E', position: 0 }));
  for (const position of [1, 2, 3])
    one?.push({ epoch: 'E', position }, { event: EVENT, text: 'one', bytes: 1 });
  one?.push({ epoch: 'F', position: 1 }, { event: EVENT, text: 'one', bytes: 1 });
  for (const position of [1, 2])
    other?.push({ epoch: 'E', position }, { event: EVENT, text: 'other', bytes: 1 });
  expect(one?.hasAllAfter({ epoch: 'F', position: 0 })).toBe(true);
  expect(other?.hasAllAfter({ epoch: 'E', position: 0 })).toBe(true);
  other?.push({ epoch: 'E', position: 3 }, { event: EVENT, text: 'other', bytes: 1 });
  expect([one?.isEmpty, other?.hasAllAfter({ epoch: 'E', position: 0 })]).toEqual([true, true]);
});
