import { parseId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { expect, test } from 'bun:test';
import { MessageOrigins } from './message-origins.ts';

function idOf(number: number): Id {
  const id = parseId(String(number));
  if (id === undefined) throw new TypeError(`${number} is no identifier`);
  return id;
}

test('[MO7] the client of a message is known for an hour', () => {
  const clock = fakeClock();
  using origins = new MessageOrigins(clock);
  origins.note(idOf(1), '192.0.2.1');
  clock.advance(60_000);
  origins.note(idOf(2), '192.0.2.2');
  clock.advance(3_600_000 - 60_001);
  expect(origins.of(idOf(1))).toBe('192.0.2.1');
  clock.advance(1);
  expect(origins.of(idOf(1))).toBeUndefined();
  expect(origins.of(idOf(2))).toBe('192.0.2.2');
  expect(origins.of(idOf(3))).toBeUndefined();
});

test('[MO7] the number of messages whose clients are known is bounded', () => {
  using origins = new MessageOrigins(fakeClock(), 3);
  for (const number of [1, 2, 3, 4]) origins.note(idOf(number), `192.0.2.${number}`);
  expect([1, 2, 3, 4].map((number) => origins.of(idOf(number)))).toEqual([
    undefined,
    '192.0.2.2',
    '192.0.2.3',
    '192.0.2.4',
  ]);
});
