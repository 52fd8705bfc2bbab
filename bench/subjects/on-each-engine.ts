import { patientPostgres } from '@hearth/testing/servers/patient-postgres';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteDatabase } from '../../packages/server/src/engines/databases.ts';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import { hearthWith, LONG_HISTORY_FILE } from './hearth.ts';
import { cpuSeconds } from './process-figures.ts';
import { areServersMissing, restProcesses } from './servers.ts';
import type { Subject } from './subject.ts';

/** The database of an instance. */
export interface InstanceDatabase {
  readonly open: () => Promise<Database>;
  /** CPU seconds that the database has used outside the processes that open it. */
  readonly databaseSeconds: () => number;
}

/** An engine on which instances with a long history are measured. */
export interface Engine {
  readonly name: string;
  /** An instance with the data that `prepare` writes. */
  readonly instance: (prepare: (database: InstanceDatabase) => Promise<void>) => Subject;
}

const EMBEDDED: Engine = {
  name: 'embedded',
  instance: (prepare) =>
    hearthWith(async (folder) => {
      const data = join(folder, 'data');
      await mkdir(data, { mode: 0o700 });
      const open = () => sqliteDatabase(join(data, 'hearth.sqlite'));
      await prepare({ open, databaseSeconds: () => 0 });
    }),
};

const POSTGRES: Engine = {
  name: 'on PostgreSQL',
  instance: (prepare) =>
    restProcesses(
      1,
      async (url) => {
        const open = () => patientPostgres(url);
        const pid = await serverOf(url);
        await prepare({ open, databaseSeconds: () => cpuSeconds(pid) });
      },
      LONG_HISTORY_FILE,
    ),
};

/** The engines of this machine. */
export const ENGINES: readonly Engine[] = areServersMissing ? [EMBEDDED] : [EMBEDDED, POSTGRES];

/** The process of a server of PostgreSQL, which begins one for each connection. */
async function serverOf(url: string): Promise<number> {
  // Guarantee: the row has this column.
  const [row] = (await queryPostgres(url, 'select pg_backend_pid() as pid')) as readonly {
    readonly pid: number;
  }[];
  const status = readFileSync(`/proc/${row?.pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}
