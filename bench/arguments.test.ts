import { describe, expect, test } from 'bun:test';
import { readArguments, usage, UsageError } from './arguments.ts';
import type { Benchmark } from './benchmark.ts';

const benchmark = (name: string): Benchmark => ({ name, about: `about ${name}`, async *run() {} });
const KNOWN = [benchmark('fanout'), benchmark('post')];
const read = (...words: readonly string[]) => {
  const invocation = readArguments(words, KNOWN);
  if (typeof invocation === 'string') throw new Error(`asked for ${invocation}`);
  return invocation;
};

describe('the arguments of a run', () => {
  test('arguments select all benchmarks in full if they name none', () => {
    expect(read().benchmarks).toEqual(KNOWN);
    expect(read().settings.isShort).toBe(false);
  });

  test('arguments name benchmarks in the order in which they run', () => {
    const names = read('post', 'fanout').benchmarks.map(({ name }) => name);
    expect(names).toEqual(['post', 'fanout']);
  });

  test('options set the number of rounds and the file for the result', () => {
    const { settings, jsonFile } = read('--rounds', '3', '--json', 'out.json');
    expect([settings.rounds, jsonFile]).toEqual([3, 'out.json']);
  });

  test('an option selects the short form, which has fewer and shorter turns', () => {
    const { settings } = read('--short');
    expect(settings.isShort).toBe(true);
    expect(settings.rounds * settings.sliceMs).toBeLessThan(1_000);
  });

  test.each(['nothing-like-it', '--rounds 0', '--rounds x', '--fast', '--json'])(
    'arguments are refused if they are unknown or incomplete: %s',
    (words) => {
      expect(() => read(...words.split(' '))).toThrow(UsageError);
    },
  );

  test('an option asks for help, which lists every benchmark', () => {
    expect(readArguments(['--help'], KNOWN)).toBe('help');
    expect(readArguments(['--seed'], KNOWN)).toBe('seed');
    for (const { name, about } of KNOWN) {
      expect(usage(KNOWN)).toContain(name);
      expect(usage(KNOWN)).toContain(about);
    }
  });
});
