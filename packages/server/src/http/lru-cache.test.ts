import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LRUCache } from 'lru-cache';

// What change-cache.ts and remote-bytes.ts rely on.

/** A cache in which the size of a value is its number of letters. */
function cacheOf(maxSize: number, values: Readonly<Record<string, string>> = {}) {
  const cache = new LRUCache<string, string>({ maxSize });
  for (const [key, value] of Object.entries(values)) cache.set(key, value, { size: value.length });
  return cache;
}

const held = (cache: LRUCache<string, string>, keys: string) =>
  [...keys].map((key) => cache.get(key));

describe('the cache', () => {
  test('the cache keeps everything as long as it fits', () => {
    const cache = cacheOf(6, { a: 'AAA', b: 'BB', c: 'C' });
    expect(held(cache, 'abcd')).toEqual(['AAA', 'BB', 'C', undefined]);
  });

  test('the cache evicts as many of the oldest values as make room', () => {
    const cache = cacheOf(6, { a: 'AA', b: 'BB', c: 'CC', d: 'DDD' });
    expect(held(cache, 'abcd')).toEqual([undefined, undefined, 'CC', 'DDD']);
  });

  test('the cache keeps a value for longer if it is read', () => {
    const cache = cacheOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    cache.get('a');
    cache.get('nothing');
    cache.set('d', 'DD', { size: 2 });
    expect(held(cache, 'abcd')).toEqual(['AA', undefined, 'CC', 'DD']);
  });

  test('the cache replaces the value and the size of a key, and counts that as a use', () => {
    const cache = cacheOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    cache.set('a', 'a', { size: 1 });
    cache.set('d', 'D', { size: 1 });
    expect(held(cache, 'abcd')).toEqual(['a', 'BB', 'CC', 'D']);
    const full = cacheOf(6, { a: 'AA', b: 'BB', c: 'CC' });
    full.set('a', 'aa', { size: 2 });
    full.set('d', 'D', { size: 1 });
    expect(held(full, 'abcd')).toEqual(['aa', undefined, 'CC', 'D']);
  });

  test('the cache keeps a value of its whole size, and nothing else', () => {
    expect(held(cacheOf(3, { a: 'A', b: 'BBB' }), 'ab')).toEqual([undefined, 'BBB']);
  });

  test('the cache keeps neither a value larger than its size nor the earlier value of that key, but everything else', () => {
    const cache = cacheOf(3, { a: 'A', b: 'B' });
    cache.set('a', 'AAAA', { size: 4 });
    expect(held(cache, 'ab')).toEqual([undefined, 'B']);
    cache.set('c', 'CC', { size: 2 });
    expect(held(cache, 'bc')).toEqual(['B', 'CC']);
  });

  test('the cache is empty after it is cleared, and has its whole size again', () => {
    const cache = cacheOf(3, { a: 'A', b: 'BB' });
    cache.clear();
    expect(held(cache, 'ab')).toEqual([undefined, undefined]);
    for (const key of 'cde') cache.set(key, key, { size: 1 });
    expect(held(cache, 'cde')).toEqual(['c', 'd', 'e']);
  });
});

interface Entry {
  readonly key: string;
  readonly value: number;
  readonly size: number;
}

/** A model of the cache, as slow and simple as possible: a list with the most recently used entry at its end. */
class Model {
  #entries: readonly Entry[] = [];
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): number | undefined {
    const entry = this.#entries.find((other) => other.key === key);
    if (entry !== undefined) this.#entries = [...this.#without(key), entry];
    return entry?.value;
  }

  set(key: string, value: number, { size }: { readonly size: number }): void {
    this.#entries = this.#without(key);
    if (size <= this.#maxSize) this.#entries = [...this.#entries, { key, value, size }];
    while (this.#size() > this.#maxSize) this.#entries = this.#entries.slice(1);
  }

  delete(key: string): void {
    this.#entries = this.#without(key);
  }

  entries(): readonly (readonly [string, number])[] {
    return this.#entries.map(({ key, value }) => [key, value] as const);
  }

  clear(): void {
    this.#entries = [];
  }

  #without(key: string): readonly Entry[] {
    return this.#entries.filter((entry) => entry.key !== key);
  }

  #size(): number {
    return this.#entries.reduce((sum, { size }) => sum + size, 0);
  }
}

type Use = (cache: LRUCache<string, number> | Model) => number | undefined;

function set(key: string, value: number, size: number): Use {
  return (cache) => {
    cache.set(key, value, { size });
    return undefined;
  };
}

function clear(): Use {
  return (cache) => {
    cache.clear();
    return undefined;
  };
}

/** Deletes while it iterates. */
function deleteMultiples(divisor: number): Use {
  return (cache) => {
    for (const [key, value] of cache.entries()) if (value % divisor === 0) cache.delete(key);
    return undefined;
  };
}

test('after any operations, the cache holds what a list in the order of use would hold', () => {
  const key = fc.constantFrom(...'abcdefgh');
  const get =
    (name: string): Use =>
    (cache) =>
      cache.get(name);
  const use: fc.Arbitrary<Use> = fc.oneof(
    { weight: 6, arbitrary: key.map(get) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(key, fc.nat(), fc.integer({ min: 1, max: 12 }))
        // The cache takes an equal value for the same, whose size has not changed.
        .map(([name, value, size]) => set(name, 12 * value + size, size)),
    },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(deleteMultiples) },
    { weight: 1, arbitrary: fc.constant(clear()) },
  );
  const property = fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.array(use, { maxLength: 60 }),
    (maxSize, uses) => {
      const [cache, model] = [new LRUCache<string, number>({ maxSize }), new Model(maxSize)];
      for (const step of uses) expect(step(cache)).toBe(step(model));
      for (const name of 'abcdefgh') expect(cache.get(name)).toBe(model.get(name));
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});
