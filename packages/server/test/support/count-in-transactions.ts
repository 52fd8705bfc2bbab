import type { Database, Statement, Writer } from '../../src/ports/database/database.ts';
import { jsonLogger } from '../../src/log/logger.ts';
import { postgresDatabase } from '../../src/ports/database/postgres.ts';
import { sqliteDatabase } from '../../src/ports/database/sqlite.ts';
import { LineProcess, linesOf } from './line-process.ts';

/** The engines that the contract's other process can open, by their name there. */
const engines: Readonly<Record<string, (address: string) => Promise<Database>>> = {
  sqlite: sqliteDatabase,
  postgres: (url) => postgresDatabase(url, { log: jsonLogger('silent', () => {}) }),
};

/** Reads a number, lets others go first if they can, and writes the next. Loses counts where transactions overlap. */
export async function increment(writer: Writer): Promise<void> {
  const row = await writer
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'count')
    .executeTakeFirst();
  await new Promise((resolve) => setImmediate(resolve));
  const value = String(Number(row?.value ?? 0) + 1);
  await writer
    .insertInto('settings')
    .values({ name: 'count', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Counts likewise where there is a count, in one statement. */
export const COUNTING: Statement = {
  text: "update settings set value = cast(cast(value as bigint) + 1 as text) where name = 'count'",
  values: [],
};

/**
 * Another process with the database open. It says `ready`; told a number, it says `trying`, increments so many times,
 * each time in a transaction, and says `done`. Behind the number may stand
 * `quietly`, for quiet transactions, or `statements`, for those of {@link COUNTING}.
 */
export function countingProcess(engine: string, address: string): LineProcess {
  return new LineProcess(import.meta.path, engine, address);
}

async function run(engine: string, address: string): Promise<void> {
  const open = engines[engine];
  if (open === undefined) throw new Error(`no engine ${engine}`);
  await using database = await open(address);
  process.stdout.write('ready\n');
  for await (const line of linesOf(Bun.stdin.stream())) {
    const [count, how] = line.split(' ');
    process.stdout.write('trying\n');
    for (let i = 0; i < Number(count); i += 1) {
      if (how === 'quietly') await database.quietTransaction(increment);
      else if (how === 'statements') await database.quietly([COUNTING]);
      else await database.transaction(increment);
    }
    process.stdout.write('done\n');
  }
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] ?? '');
