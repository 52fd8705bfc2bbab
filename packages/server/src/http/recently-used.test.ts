import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RecentlyUsed } from './recently-used.ts';

/** Keeps values that weigh as many as they have letters. */
function keeperOf(capacity: number, values: Readonly<Record<string, string>> = {}) {
  const keeper = new RecentlyUsed<string>(capacity);
  for (const [key, value] of Object.entries(values)) keeper.set(key, value, value.length);
  return keeper;
}

const held = (keeper: RecentlyUsed<string>, keys: string) =>
  [...keys].map((key) => keeper.get(key));

describe('what was recently used', () => {
  test('is kept as long as it weighs no more than the capacity together', () => {
    const keeper = keeperOf(6, { a: 'AAA', b: 'BB', c: 'C' });
    expect(held(keeper, 'abcd')).toEqual(['AAA', 'BB', 'C', undefined]);
  });

  test('is forgotten in the order in which it was set, as much as makes room', () => {
    const keeper = keeperOf(6, { a: 'AA', b: 'BB', c: 'CC', d: 'DDD' });
    expect(held(keeper, 'abcd')).toEqual([undefined, undefined, 'CC', 'DDD']);
  });

  test('is what was asked for, too', () => {
    const keeper = keeperOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    keeper.get('a');
    keeper.get('nothing');
    keeper.set('d', 'DD', 2);
    expect(held(keeper, 'abcd')).toEqual(['AA', undefined, 'CC', 'DD']);
  });

  test('takes the place and the weight of what its key had, and is the last to go then', () => {
    const keeper = keeperOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    keeper.set('a', 'a', 1);
    keeper.set('d', 'D', 1);
    expect(held(keeper, 'abcd')).toEqual(['a', 'BB', 'CC', 'D']);
    const full = keeperOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    full.set('a', 'aa', 2);
    full.set('d', 'D', 1);
    expect(held(full, 'abcd')).toEqual(['aa', undefined, 'CC', 'D']);
  });

  test('may be as heavy as the capacity, and is alone then', () => {
    expect(held(keeperOf(3, { a: 'A', b: 'BBB' }), 'ab')).toEqual([undefined, 'BBB']);
  });

  test('is not kept where it is heavier than the capacity, nor what its key had, but everything else is', () => {
    const keeper = keeperOf(3, { a: 'A', b: 'B' });
    keeper.set('a', 'AAAA', 4);
    expect(held(keeper, 'ab')).toEqual([undefined, 'B']);
    keeper.set('c', 'CC', 2);
    expect(held(keeper, 'bc')).toEqual(['B', 'CC']);
  });

  test('is gone when everything is forgotten, and its weight with it', () => {
    const keeper = keeperOf(3, { a: 'A', b: 'BB' });
    keeper.clear();
    expect(held(keeper, 'ab')).toEqual([undefined, undefined]);
    for (const key of 'cde') keeper.set(key, key, 1);
    expect(held(keeper, 'cde')).toEqual(['c', 'd', 'e']);
  });
});

interface Entry {
  readonly key: string;
  readonly value: number;
  readonly weight: number;
}

/** The same, as slow and simple as can be: a list, with what was used last at its end. */
class Model {
  #entries: readonly Entry[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): number | undefined {
    const entry = this.#entries.find((other) => other.key === key);
    if (entry !== undefined) this.#entries = [...this.#without(key), entry];
    return entry?.value;
  }

  set(key: string, value: number, weight: number): void {
    this.#entries = this.#without(key);
    if (weight <= this.#capacity) this.#entries = [...this.#entries, { key, value, weight }];
    while (this.#weight() > this.#capacity) this.#entries = this.#entries.slice(1);
  }

  clear(): void {
    this.#entries = [];
  }

  #without(key: string): readonly Entry[] {
    return this.#entries.filter((entry) => entry.key !== key);
  }

  #weight(): number {
    return this.#entries.reduce((sum, { weight }) => sum + weight, 0);
  }
}

type Use = (keeper: RecentlyUsed<number> | Model) => number | undefined | void;

test('what was recently used is what a list in the order of use would hold, whatever is done', () => {
  const key = fc.constantFrom(...'abcdefgh');
  const use: fc.Arbitrary<Use> = fc.oneof(
    {
      weight: 6,
      arbitrary: key.map(
        (name): Use =>
          (keeper) =>
            keeper.get(name),
      ),
    },
    {
      weight: 8,
      arbitrary: fc.tuple(key, fc.nat(), fc.nat({ max: 12 })).map(
        ([name, value, weight]): Use =>
          (keeper) =>
            keeper.set(name, value, weight),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Use>((keeper) => keeper.clear()) },
  );
  const property = fc.property(
    fc.integer({ min: 0, max: 20 }),
    fc.array(use, { maxLength: 60 }),
    (capacity, uses) => {
      const [keeper, model] = [new RecentlyUsed<number>(capacity), new Model(capacity)];
      for (const step of uses) expect(step(keeper)).toBe(step(model));
      for (const name of 'abcdefgh') expect(keeper.get(name)).toBe(model.get(name));
    },
  );
  fc.assert(property, { numRuns: 500 });
});
