import { parseId, type Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { OwnMessages } from './own-messages.ts';

function id(number: number): Id {
  const parsed = parseId(String(number));
  if (parsed === undefined) throw new Error(`${number} is not an identifier`);
  return parsed;
}

/** A browser's storage in memory. */
function storage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

describe('own messages', () => {
  test('own messages are known after a reload of the page, on their instance only', () => {
    const kept = storage();
    new OwnMessages(kept, 'http://one').add(id(5));
    expect(new OwnMessages(kept, 'http://one').has(id(5))).toBe(true);
    expect(new OwnMessages(kept, 'http://one').has(id(6))).toBe(false);
    expect(new OwnMessages(kept, 'http://two').has(id(5))).toBe(false);
  });

  test('own messages of two windows are all remembered, up to the newest thousand', () => {
    const kept = storage();
    const one = new OwnMessages(kept, 'http://one');
    const other = new OwnMessages(kept, 'http://one');
    one.add(id(1));
    other.add(id(2));
    for (let number = 3; number <= 1_001; number += 1) one.add(id(number));
    const later = new OwnMessages(kept, 'http://one');
    expect([1, 2, 3, 1_001].map((number) => later.has(id(number)))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test('own messages are forgotten if the storage is missing or contains nonsense', () => {
    const without = new OwnMessages(undefined, 'http://one');
    without.add(id(1));
    expect(without.has(id(1))).toBe(true);
    const kept = storage();
    kept.setItem('hearth.own http://one', 'x 7  -1 01');
    expect(new OwnMessages(kept, 'http://one').has(id(7))).toBe(true);
  });
});
