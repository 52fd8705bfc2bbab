import { parseArgs } from 'node:util';
import type { Benchmark, Row, Settings } from './benchmark.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { table } from './report.ts';

const FULL: Settings = { rounds: 15, sliceMs: 400, warmUpMs: 3_000, isShort: false };
const SHORT: Settings = { rounds: 2, sliceMs: 50, warmUpMs: 50, isShort: true };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const settings = {
  ...(values.short ? SHORT : FULL),
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
};
const rows: Row[] = [];
for (const b of BENCHMARKS.filter(
  (x: Benchmark) => positionals.length === 0 || positionals.includes(x.name),
)) {
  for await (const row of b.run(settings)) rows.push(row);
}
process.stdout.write(`${table(rows)}\n`);
process.exit(0);
