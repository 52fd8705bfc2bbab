import { Database as RawDatabase } from 'bun:sqlite';
import { linesOf } from '@hearth/testing/line-process';
import { jsonLogger } from '../../packages/server/src/log/logger.ts';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import { postgresDatabase } from '../../packages/server/src/engines/databases.ts';
import { sqliteDatabase } from '../../packages/server/src/engines/databases.ts';
import { INSERT_ROW, nextRow, WRITTEN_MIGRATIONS } from './written-row.ts';

// A process that inserts rows durably: `<engine> <address> <in flight>`. It prints `ready`. For each line with a number of
// milliseconds it writes for that time, and prints how many rows it has written.

/** Writes for some time, and returns the number of rows. */
type Write = (milliseconds: number) => number | Promise<number>;

const [engine = '', address = '', inFlight = ''] = process.argv.slice(2);
const write = await open(engine, address, Number(inFlight));
process.stdout.write('ready\n');
for await (const line of linesOf(Bun.stdin.stream())) {
  process.stdout.write(`${await write(Number(line))}\n`);
}
process.exit(0);

async function open(name: string, place: string, flight: number): Promise<Write> {
  switch (name) {
    case 'sqlite':
      return throughPort(await sqliteDatabase(place, { migrations: WRITTEN_MIGRATIONS }), flight);
    case 'postgres': {
      const log = jsonLogger('error', (line) => process.stderr.write(line));
      return throughPort(
        await postgresDatabase(place, { log, migrations: WRITTEN_MIGRATIONS }),
        flight,
      );
    }
    case 'raw':
      return rawGroups(place, flight);
    default:
      throw new Error(`no engine ${name}`);
  }
}

function throughPort(database: Database, flight: number): Write {
  return async (milliseconds) => {
    const endAtMs = performance.now() + milliseconds;
    let rows = 0;
    const writer = async () => {
      while (performance.now() < endAtMs) {
        await database.transaction((tx) => tx.run({ text: INSERT_ROW, values: nextRow() }));
        rows += 1;
      }
    };
    await Promise.all(Array.from({ length: flight }, writer));
    return rows;
  };
}

/** The least possible cost: a loop that inserts and commits the same number of rows at once. */
function rawGroups(path: string, flight: number): Write {
  const database = new RawDatabase(path, { create: true });
  for (const pragma of ['journal_mode = wal', 'synchronous = full'])
    database.run(`pragma ${pragma}`);
  database.run(`create table if not exists written (id bigint primary key, topic text not null,
    name text not null, content text not null, created_at_ms bigint not null)`);
  const insert = database.prepare(INSERT_ROW);
  const [begin, commit] = ['begin immediate', 'commit'].map((sql) => database.prepare(sql));
  return (milliseconds) => {
    const endAtMs = performance.now() + milliseconds;
    let rows = 0;
    while (performance.now() < endAtMs) {
      begin?.run();
      for (let row = 0; row < flight; row += 1) insert.run(...nextRow());
      commit?.run();
      rows += flight;
    }
    return rows;
  };
}
