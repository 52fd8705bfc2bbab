import { readArguments, usage, UsageError, type Invocation } from './arguments.ts';
import type { Row } from './benchmark.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { table } from './report.ts';
import { leaveNothingBehind } from './subjects/left-behind.ts';
import { seeded, SEEDS } from './subjects/seeds.ts';
import { surroundings } from './surroundings.ts';

leaveNothingBehind();
process.exit(await main());

async function main(): Promise<number> {
  try {
    const invocation = readArguments(process.argv.slice(2), BENCHMARKS);
    if (invocation === 'help') process.stdout.write(usage(BENCHMARKS));
    else if (invocation === 'seed') await writeSeeds();
    else await run(invocation);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`bench: ${error.message}\n\n${usage(BENCHMARKS)}`);
    return 2;
  }
}

async function writeSeeds(): Promise<void> {
  for (const [name, seed] of Object.entries(SEEDS)) {
    const { data } = await seeded(seed);
    process.stdout.write(`${name}: ${data}\n`);
  }
}

async function run({ benchmarks, settings, jsonFile }: Invocation): Promise<void> {
  if (process.platform !== 'linux') throw new UsageError('CPU and memory are read from /proc');
  const rows: Row[] = [];
  for (const { name, about, run: rowsOf } of benchmarks) {
    process.stderr.write(`${name}: ${about}\n`);
    for await (const row of rowsOf(settings)) rows.push(withoutGoal(row, settings.isShort));
  }
  const around = surroundings();
  const facts = Object.entries(around).map(([name, value]) => `${name}: ${value}\n`);
  process.stdout.write(`\n${table(rows)}\n\n${facts.join('')}`);
  if (settings.isShort)
    process.stdout.write('Short form: all of it works; the figures mean nothing.\n');
  await Bun.write(jsonFile, `${JSON.stringify({ ...around, settings, rows }, null, 2)}\n`);
  process.stdout.write(`Written to ${jsonFile}\n`);
}

/** The figures of the short form do not show whether a goal is reached. */
function withoutGoal({ goal, ...row }: Row, isShort: boolean): Row {
  return isShort || goal === undefined ? row : { ...row, goal };
}
