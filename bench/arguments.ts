import { parseArgs } from 'node:util';
import type { Benchmark, Settings } from './benchmark.ts';

/** The options of a run. */
export interface Invocation {
  readonly benchmarks: readonly Benchmark[];
  readonly settings: Settings;
  /** The file for the result, as JSON. */
  readonly jsonFile: string;
}

/** Says what is wrong with the arguments. */
export class UsageError extends Error {}

const FULL: Settings = { rounds: 15, sliceMs: 800, warmUpMs: 5_000, isShort: false };
const SHORT: Settings = { rounds: 2, sliceMs: 50, warmUpMs: 50, isShort: true };

/** The text of the help. */
export function usage(known: readonly Benchmark[]): string {
  const width = Math.max(...known.map(({ name }) => name.length)) + 2;
  const names = known.map(({ name, about }) => `  ${name.padEnd(width)}${about}\n`).join('');
  return `Usage: bun run bench [name …] [--short] [--rounds N] [--json FILE]

Benchmarks, all of them where none is named:
${names}
  --seed       only write the data that benchmarks of communities keep between runs
  --short      only show that everything works; the figures mean nothing
  --rounds N   turns of each subject (${FULL.rounds})
  --json FILE  where the result goes as JSON (bench/results/latest.json)
`;
}

/** Reads the arguments. Throws UsageError. */
export function readArguments(
  words: readonly string[],
  known: readonly Benchmark[],
): Invocation | 'help' | 'seed' {
  const { values, positionals } = parse(words);
  if (values.help) return 'help';
  if (values.seed) return 'seed';
  const base = values.short ? SHORT : FULL;
  return {
    benchmarks: positionals.length === 0 ? known : positionals.map((name) => named(name, known)),
    settings: { ...base, rounds: readRounds(values.rounds) ?? base.rounds },
    jsonFile: values.json ?? 'bench/results/latest.json',
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        seed: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function named(name: string, known: readonly Benchmark[]): Benchmark {
  const benchmark = known.find((candidate) => candidate.name === name);
  if (benchmark === undefined) throw new UsageError(`there is no benchmark called "${name}"`);
  return benchmark;
}

function readRounds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('--rounds needs a number from 1 to 9999');
  return Number(text);
}
