import { startPostgres } from '@hearth/testing/servers/postgres-server';
import { join } from 'node:path';
import { jsonLogger } from '../../packages/server/src/log/logger.ts';
import { postgresDatabase } from '../../packages/server/src/ports/database/postgres.ts';
import type { Load, Turn } from '../compare.ts';
import { temporaryFolder } from '../subjects/left-behind.ts';
import { pgbenchProgram } from '../subjects/programs.ts';
import { RunningSubject, type Subject } from '../subjects/subject.ts';
import { MESSAGE } from './message.ts';

/** The statements of a post to a channel, with values that `pgbench` makes. */
const SCRIPT = `\\set channel random(1, 64)
\\set id random(1, ${Number.MAX_SAFE_INTEGER})
begin isolation level read committed read write;
update channels set number = number + 1, last_id = :channel::text
  where id = :channel::text and version = 1 and deleted_at_ms = 0 and (length(last_id), last_id) < (99, '1')
  returning number;
insert into channel_messages (channel_id, id, user_id, content, created_at_ms,
  edited_at_ms, reply_to, mentions, files, reactions, pinned, version)
  values (:channel::text, lpad(:id::text, 39, '0'), '1', '${MESSAGE.content}', 1700000000000, 0, '', '', '', '', 0, 1);
insert into read_states (user_id, community_id, channel_id, last_read_id) values ('1', '1', :channel::text, lpad(:id::text, 39, '0'))
  on conflict (user_id, community_id, channel_id) do update set last_read_id = excluded.last_read_id;
insert into outbox (subject, number, stream, entry)
  values (:channel::text, :id, 'c:1', '${JSON.stringify({ event: { op: 'MESSAGE_CREATE', d: MESSAGE } })}');
commit;
`;

/** `pgbench`, which runs the statements of a post on a server of its own. */
export class Pgbench {
  #url = '';

  readonly subject: Subject = {
    name: 'pgbench with the same statements',
    start: async () => {
      await using resources = new AsyncDisposableStack();
      const server = resources.use(await startPostgres());
      this.#url = await server.createDatabase();
      await prepare(this.#url);
      const ports = { rest: 0, gateway: 0, files: 0 };
      return new RunningSubject([process.pid], ports, resources.move());
    },
  };

  /** Runs the statements with so many clients. */
  async load(clients: number): Promise<Load> {
    const folder = temporaryFolder();
    const script = join(folder.path, 'post.sql');
    await Bun.write(script, SCRIPT);
    return {
      prepare: async () => {},
      run: (milliseconds) => run({ url: this.#url, script, clients, milliseconds }),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  }
}

/** Makes the tables, and channels to post to. */
async function prepare(url: string): Promise<void> {
  const log = jsonLogger('error', (line) => process.stderr.write(line));
  await using database = await postgresDatabase(url, { log });
  await database.transaction(async (tx) => {
    await tx.run({ text: "set local session_replication_role = 'replica'", values: [] });
    for (let id = 1; id <= 64; id += 1) {
      await tx.sql
        .insertInto('channels')
        .values({
          id: String(id),
          community_id: '1',
          kind: 'messages',
          name: 'bench',
          topic: '',
          category_id: '',
          position: id,
          slow_mode_seconds: 0,
          last_id: '',
          number: 0,
          post_settings: '',
          deleted_at_ms: 0,
          version: 1,
        })
        .execute();
    }
  });
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
