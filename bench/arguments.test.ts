import { describe, expect, test } from 'bun:test';
import { readArguments, usage, UsageError } from './arguments.ts';
import type { Benchmark } from './benchmark.ts';

const benchmark = (name: string): Benchmark => ({ name, about: `about ${name}`, async *run() {} });
const KNOWN = [benchmark('fanout'), benchmark('post')];
const read = (...words: readonly string[]) => {
  const invocation = readArguments(words, KNOWN);
  if (invocation === 'help') throw new Error('asked for help');
  return invocation;
};

describe('the words of an invocation', () => {
  test('without a name are all benchmarks in full', () => {
    expect(read().benchmarks).toEqual(KNOWN);
    expect(read().settings.isShort).toBe(false);
  });

  test('name benchmarks, in the order in which they are to run', () => {
    const names = read('post', 'fanout').benchmarks.map(({ name }) => name);
    expect(names).toEqual(['post', 'fanout']);
  });

  test('set rounds and the file of the result', () => {
    const { settings, jsonFile } = read('--rounds', '3', '--json', 'out.json');
    expect([settings.rounds, jsonFile]).toEqual([3, 'out.json']);
  });

  test('ask for the short form, which has fewer and shorter turns', () => {
    const { settings } = read('--short');
    expect(settings.isShort).toBe(true);
    expect(settings.rounds * settings.sliceMs).toBeLessThan(1_000);
  });

  test.each(['nothing-like-it', '--rounds 0', '--rounds x', '--fast', '--json'])(
    'that mean nothing are refused: %s',
    (words) => {
      expect(() => read(...words.split(' '))).toThrow(UsageError);
    },
  );

  test('ask for help, which tells every benchmark', () => {
    expect(readArguments(['--help'], KNOWN)).toBe('help');
    for (const { name, about } of KNOWN) {
      expect(usage(KNOWN)).toContain(name);
      expect(usage(KNOWN)).toContain(about);
    }
  });
});
