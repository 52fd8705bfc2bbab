import type { Database, Transaction } from '../../../server/src/ports/database/database.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import { postgresDatabase } from '../../../server/src/engines/databases.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { LineProcess, linesOf } from '../line-process.ts';
import { patientPostgres } from '../servers/patient-postgres.ts';

/** The engines that the contract's other process can open, by name. */
const engines: Readonly<Record<string, (address: string) => Promise<Database>>> = {
  sqlite: sqliteDatabase,
  postgres: patientPostgres,
  'postgres with the usual time limits': (address) =>
    postgresDatabase(address, { log: jsonLogger('silent', () => {}) }),
};

/** Locks a number, gives others time to change it, and writes the next one. Counts are lost if the lock does not hold. */
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

async function incrementAndHold(tx: Transaction): Promise<void> {
  await increment(tx);
  process.stdout.write('held\n');
  await new Promise(() => {});
}

/**
 * Another process with the database open. It prints `ready`. For a line with a number it prints `trying`, increments that
 * many times, each time in a transaction, and prints `done`. The number may be followed by `together`, for all transactions
 * at the same time, by `content` and an id, which each transaction then reports as changed, or by `held`, for a transaction
 * that increments once, and then never ends: it prints `held`.
 */
export function countingProcess(engine: string, address: string): LineProcess {
  return new LineProcess(import.meta.path, engine, address);
}

/** Runs the process with its arguments. */
export async function run([engine = '', address = '']: readonly string[]): Promise<void> {
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
    if (how === 'held') await database.transaction(incrementAndHold);
    else if (how === 'together')
      await Promise.all(Array.from({ length: Number(count) }, countOnce));
    else for (let i = 0; i < Number(count); i += 1) await countOnce();
    process.stdout.write('done\n');
  }
}

if (import.meta.main) void run(process.argv.slice(2));
