import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from '../free-ports.ts';
import { linesOf } from '../line-process.ts';
import { migratePostgres } from './migrated-postgres.ts';
import { createDatabase, createTemplate, sameDatabase } from './postgres-databases.ts';
import { testRun, type RunPostgres } from '../test-run.ts';

const USER = 'hearth';
const PASSWORD = 'a-secret/with:signs';
const INSTALLED_IN = '/usr/lib/postgresql';
const OLDEST_MAJOR = 14;

const READY = 'database system is ready to accept connections';

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // A transaction has 2.5 s. On a busy machine, the default of 1 s leaves it too little time for another attempt.
  'deadlock_timeout=100ms',
  // It looks at each new database, of which there are hundreds that live for seconds.
  'autovacuum=off',
];

/** The settings for the few tests whose data must survive a power cut. */
const NOT_DURABLE = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];

/** A test's own PostgreSQL, on a free port of 127.0.0.1. It ends with this process. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** The address of a database that always exists. */
  readonly url: string;
  /** The address of a new database: an empty one, or a copy of the one at an address. */
  createDatabase(copied?: string): Promise<string>;
  /** The address of a new database with the newest schema and no rows. */
  createMigrated(): Promise<string>;
  /** Returns what the tests of a run share of it. It restarts for that. */
  share(): Promise<RunPostgres>;
  /** Ends it, with all connections. */
  stop(): Promise<void>;
  /** Starts it again at the same address, with all committed data. */
  start(): Promise<void>;
  /** Halts all its processes: connections stay open, but nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** True if this machine has PostgreSQL. If not, prints what is skipped. Throws in CI, where nothing may be skipped. */
export const hasPostgres = await isInstalled();

/** Starts an empty server. Committed data survives a power cut only if it `isDurable`. */
export async function startPostgres({
  isDurable = false,
  maxConnections = 300,
} = {}): Promise<PostgresServer> {
  const binaries = await findBinaries();
  if (binaries === undefined) throw new Error('there is no PostgreSQL on this machine');
  const folder = await mkdtemp(join(tmpdir(), 'hearth-postgres-'));
  const all = [...SETTINGS, `max_connections=${maxConnections}`];
  const settings = isDurable ? all : [...all, ...NOT_DURABLE];
  const server = new OwnServer(binaries, { folder, settings });
  try {
    await server.initialize();
    await server.start();
    if (testRun.postgres === undefined) await createTemplate(server.url);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

class OwnServer implements PostgresServer {
  readonly #binaries: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #owner: { readonly uid: number; readonly gid: number } | undefined;
  #process: ReturnType<typeof spawnServer> | undefined;
  #migrated: Promise<string> | undefined;
  port = 0;

  constructor(
    binaries: string,
    { folder, settings }: { readonly folder: string; readonly settings: readonly string[] },
  ) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.#settings = settings;
  }

  get url(): string {
    return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/postgres`;
  }

  async initialize(): Promise<void> {
    const passwordFile = join(this.#folder, 'password');
    await writeFile(passwordFile, cheapVerifier(PASSWORD));
    if (process.getuid?.() === 0) {
      this.#owner = { uid: await idOf('-u'), gid: await idOf('-g') };
      for (const path of [this.#folder, passwordFile]) {
        await chown(path, this.#owner.uid, this.#owner.gid);
      }
    }
    if (testRun.postgres !== undefined) {
      // A twentieth of the time that a new server takes.
      await run(['cp', '-a', testRun.postgres.data, this.#data]);
      return;
    }
    await run(
      this.#command('initdb', [
        ...['-D', this.#data, '-U', USER, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256'],
        ...['-E', 'UTF8', '--locale=C', '--no-sync'],
      ]),
    );
  }

  async start(): Promise<void> {
    // Another process may take the port before the server does.
    for (let attempt = 1; ; attempt += 1) {
      const isFirst = this.port === 0;
      const port = isFirst ? Number((await freePorts(1))[0]) : this.port;
      const options = this.#settings.flatMap((setting) => ['-c', setting]);
      const started = spawnServer(
        this.#command('postgres', ['-D', this.#data, '-p', String(port), ...options]),
      );
      const failure = await untilReady(started);
      if (failure === undefined) {
        [this.#process, this.port] = [started, port];
        return;
      }
      if (!isFirst || attempt === 5) throw new Error(`PostgreSQL does not start: ${failure}`);
    }
  }

  createDatabase(copied?: string): Promise<string> {
    return createDatabase(this.url, copied);
  }

  async createMigrated(): Promise<string> {
    return this.createDatabase(await this.#migratedOnce());
  }

  async share(): Promise<RunPostgres> {
    const migrated = await this.#migratedOnce();
    const data = join(this.#folder, 'shared');
    await this.stop();
    await run(['cp', '-a', this.#data, data]);
    await this.start();
    return { url: this.url, migrated, data };
  }

  #migratedOnce(): Promise<string> {
    const { postgres } = testRun;
    if (postgres !== undefined) return Promise.resolve(sameDatabase(this.url, postgres.migrated));
    return (this.#migrated ??= this.createDatabase().then(migratePostgres));
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async pause(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  // PostgreSQL refuses to run as root. If this process is killed, the server ends with it.
  #command(name: string, args: readonly string[]): readonly string[] {
    const command = [join(this.#binaries, name), ...args];
    const user =
      this.#owner === undefined
        ? []
        : [`--reuid=${this.#owner.uid}`, `--regid=${this.#owner.gid}`, '--clear-groups'];
    return ['setpriv', ...user, '--pdeathsig=QUIT', '--', ...command];
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined) return;
    await signalTree(running.pid, 'SIGCONT');
    running.kill(signal);
    await running.exited;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    if (this.#process !== undefined) await signalTree(this.#process.pid, signal);
  }
}

/**
 * The verifier of a password with a single iteration instead of 4,096, which take a tenth of the processor time of a new
 * connection.
 */
function cheapVerifier(password: string): string {
  const iterations = 1;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyFor = (word: string) => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const server = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

function spawnServer(command: readonly string[]) {
  return Bun.spawn([...command], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { ...process.env, LC_ALL: 'C' },
  });
}

/** Resolves with undefined when the server is ready, or with its output if it ends first. Later output is discarded. */
async function untilReady({ stderr }: { stderr: ReadableStream }): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const read = async () => {
    const said: string[] = [];
    for await (const line of linesOf(stderr)) {
      if (line.includes(READY)) resolve(undefined);
      if (said.length < 20) said.push(line);
    }
    resolve(said.join('\n'));
  };
  read().catch((error: unknown) => resolve(String(error)));
  return promise;
}

/** Signals the parent first, so that no child is missed. */
async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  kill(pid, signal);
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await parentOf(name)) === pid) kill(Number(name), signal);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function parentOf(pid: string): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The state and the parent follow the name, which may contain any character.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${errors}`);
  return output;
}

async function idOf(kind: '-u' | '-g'): Promise<number> {
  return Number(await run(['id', kind, 'postgres']));
}

async function isInstalled(): Promise<boolean> {
  if ((await findBinaries()) !== undefined) return true;
  if (process.env['CI'] === 'true') throw new Error('PostgreSQL is not installed');
  process.stderr.write('PostgreSQL is not installed: the tests that need it are skipped\n');
  return false;
}

/** The folder of the newest installed version. */
async function findBinaries(): Promise<string | undefined> {
  const versions = existsSync(INSTALLED_IN) ? await readdir(INSTALLED_IN) : [];
  const folders = versions
    .filter((version) => Number(version) >= OLDEST_MAJOR)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED_IN, version, 'bin'));
  const inPath = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders, ...inPath].find(
    (folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')),
  );
}
