import type { Database, Transaction } from '../../../server/src/ports/database/database.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import { postgresDatabase } from '../../../server/src/ports/database/postgres.ts';
import { sqliteDatabase } from '../../../server/src/ports/database/sqlite.ts';
import { LineProcess, linesOf } from '../line-process.ts';

/** The engines that the contract's other process can open, by their name there. */
const engines: Readonly<Record<string, (address: string) => Promise<Database>>> = {
  sqlite: sqliteDatabase,
  postgres: (url) => postgresDatabase(url, { log: jsonLogger('silent', () => {}) }),
};

/** Locks a number, lets others go first if they can, and writes the next. Loses counts if the lock does not hold. */
export async function increment({ sql }: Transaction): Promise<void> {
  await sql
    .insertInto('settings')
    .values({ name: 'count', value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await sql
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'count')
    .forUpdate()
    .executeTakeFirstOrThrow();
  await new Promise((resolve) => setImmediate(resolve));
  await sql
    .updateTable('settings')
    .set({ value: String(Number(value) + 1) })
    .where('name', '=', 'count')
    .execute();
}

/**
 * Another process with the database open. It says `ready`; told a number, it says `trying`, increments so many times,
 * each time in a transaction, and says `done`. After the number may stand `together`, for all of them at the same time,
 * or `content` and an id, which each transaction then notes as changed.
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
    const [count, how, changedId] = line.split(' ');
    process.stdout.write('trying\n');
    const countOnce = () =>
      database.transaction(async (tx) => {
        if (how === 'content' && changedId !== undefined) tx.changed(how, changedId);
        await increment(tx);
      });
    if (how === 'together') await Promise.all(Array.from({ length: Number(count) }, countOnce));
    else for (let i = 0; i < Number(count); i += 1) await countOnce();
    process.stdout.write('done\n');
  }
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] ?? '');
