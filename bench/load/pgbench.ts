import { startPostgres } from '@hearth/testing/servers/postgres-server';
import { join } from 'node:path';
import { jsonLogger } from '../../packages/server/src/log/logger.ts';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import { postgresDatabase } from '../../packages/server/src/engines/databases.ts';
import type { Load, Turn } from '../compare.ts';
import { temporaryFolder } from '../subjects/left-behind.ts';
import { pgbenchProgram } from '../subjects/programs.ts';
import { RunningSubject, type Subject } from '../subjects/subject.ts';

/** The script that `pgbench` runs, and the tables that it needs. */
export interface Statements {
  readonly script: string;
  readonly prepare: (database: Database) => Promise<unknown>;
}

/** `pgbench`, which runs the statements of Hearth on a server of its own. */
export class Pgbench {
  readonly #statements: Statements;
  #url = '';

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  readonly subject: Subject = {
    name: 'pgbench with the same statements',
    start: async () => {
      await using resources = new AsyncDisposableStack();
      const server = resources.use(await startPostgres());
      this.#url = await server.createDatabase();
      const log = jsonLogger('error', (line) => process.stderr.write(line));
      await using database = await postgresDatabase(this.#url, { log });
      await this.#statements.prepare(database);
      const ports = { rest: 0, gateway: 0, files: 0 };
      return new RunningSubject([process.pid], ports, resources.move());
    },
  };

  /** Runs the statements with so many clients. */
  async load(clients: number): Promise<Load> {
    const folder = temporaryFolder();
    const script = join(folder.path, 'statements.sql');
    await Bun.write(script, this.#statements.script);
    return {
      prepare: async () => {},
      run: (milliseconds) => run({ url: this.#url, script, clients, milliseconds }),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  }
}

interface Run {
  readonly url: string;
  readonly script: string;
  readonly clients: number;
  readonly milliseconds: number;
}

/** On a busy machine the clients may need more time to connect than the run has; then it runs longer. */
async function run({ milliseconds, ...work }: Run): Promise<Turn> {
  const least = Math.max(1, Math.round(milliseconds / 1_000));
  for (let seconds = least; seconds < 60; seconds *= 4) {
    const startedAt = performance.now();
    const [, rate] = /^tps = ([\d.]+) \(without/m.exec(await runPgbench(work, seconds)) ?? [];
    // Without the time in which it connects.
    const elapsed = (performance.now() - startedAt) / 1_000;
    if (rate !== undefined)
      return { operations: Math.round(Number(rate) * elapsed), cpuSeconds: 0 };
  }
  throw new Error('pgbench did nothing');
}

async function runPgbench(
  { url, script, clients }: Omit<Run, 'milliseconds'>,
  seconds: number,
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const options = {
    '-h': hostname,
    '-p': port,
    '-U': username,
    '-f': script,
    '-T': seconds,
    '-c': clients,
    '-j': 2,
    '-M': 'prepared',
  };
  const command = [
    pgbenchProgram() ?? '',
    '-n',
    ...Object.entries(options).flatMap(([name, value]) => [name, String(value)]),
    pathname.slice(1),
  ];
  const env = { PGPASSWORD: decodeURIComponent(password) };
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'inherit' });
  return await new Response(child.stdout).text();
}
