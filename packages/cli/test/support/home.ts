import { named } from '@hearth/testing/instances/named';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import {
  HEARTH,
  HearthProcess,
  ROOT,
  type Ending,
  type Launch,
} from '@hearth/testing/programs/hearth-process';
import { CommandHere, type HereOptions } from './command-here.ts';

type Environment = Readonly<Record<string, string>>;

/** The variables that any process needs. Hearth reads none of them. */
const BARE_ENVIRONMENT: Environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
};

/**
 * The folder and the free ports of a test's instance. It serves the web client only if WEB_PORT is set. Disposal kills
 * all processes that were started here.
 */
export class Home implements AsyncDisposable {
  readonly folder: string;
  /** The variables that name the ports. */
  readonly ports: Environment;
  readonly addresses: {
    readonly rest: string;
    readonly gateway: string;
    readonly files: string;
  };
  readonly #processes: (HearthProcess | CommandHere)[] = [];

  private constructor(folder: string, [rest, gateway, files]: readonly number[]) {
    this.folder = folder;
    this.ports = {
      OPRISH_PORT: String(rest),
      PANDEMONIUM_PORT: String(gateway),
      EFFIS_PORT: String(files),
      WEB_PORT: 'off',
    };
    this.addresses = {
      rest: `http://127.0.0.1:${rest}`,
      gateway: `ws://127.0.0.1:${gateway}`,
      files: `http://127.0.0.1:${files}`,
    };
  }

  static async make(): Promise<Home> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'hearth-cli-')));
    return new Home(folder, await freePorts(3));
  }

  /** The absolute path of a file here. */
  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  /** The sorted names of the files in the folder. */
  async names(): Promise<readonly string[]> {
    return (await readdir(this.folder)).toSorted();
  }

  /** Runs the command line here, with the ports of this home and `env`. */
  hearth(words: readonly string[], env: Environment = {}, on: Launch['on'] = 'pipes') {
    return this.launch({
      command: [...HEARTH, ...words],
      folder: this.folder,
      env: { ...this.ports, ...env },
      on,
    });
  }

  /** Runs `bun` with these arguments in the repository's folder, for the instance of this home. */
  script(
    words: readonly string[],
    on: Launch['on'] = 'pipes',
    extraEnv: Environment = {},
  ): Promise<HearthProcess> {
    return this.inRepository([this.path('bin/bun'), ...words], on, extraEnv);
  }

  /** Runs a command in the repository's folder, with the variables of this home's instance and `bun` on the path. */
  async inRepository(
    command: readonly string[],
    on: Launch['on'] = 'pipes',
    extraEnv: Environment = {},
  ): Promise<HearthProcess> {
    // A user who types `bun` has it on the path, but the runner of these tests may not.
    await mkdir(this.path('bin'), { recursive: true });
    await rm(this.path('bin/bun'), { force: true });
    await symlink(process.execPath, this.path('bin/bun'));
    const env = {
      ...this.ports,
      PATH: `${this.path('bin')}:${BARE_ENVIRONMENT['PATH']}`,
      DATA_DIR: this.path('data'),
      INSTANCE_CONF: await this.write('instance.toml', named(GENEROUS_LIMITS)),
      ...extraEnv,
    };
    return this.launch({ command, folder: ROOT, env, leadsGroup: true, on });
  }

  /** Runs any command with the variables of `env`. */
  launch({ env, ...launch }: Launch): HearthProcess {
    const started = new HearthProcess({ ...launch, env: { ...BARE_ENVIRONMENT, ...env } });
    this.#processes.push(started);
    return started;
  }

  /** Runs a command and resolves when it has ended. */
  run(words: readonly string[], env?: Environment): Promise<Ending> {
    return this.hearth(words, env).ended;
  }

  /** Runs the command line in this process, which takes no time to start. */
  here(
    words: readonly string[],
    env: Environment = {},
    terminal: Pick<HereOptions, 'on' | 'columns'> = {},
  ): CommandHere {
    const all = { ...BARE_ENVIRONMENT, ...this.ports, ...env };
    const started = new CommandHere(words, { ...terminal, env: all, workingDir: this.folder });
    this.#processes.push(started);
    return started;
  }

  /** Runs a command in this process, and resolves when it has ended. */
  runHere(words: readonly string[], env?: Environment): Promise<Ending> {
    return this.here(words, env).ended;
  }

  /** Starts the instance of this home in this process, which then logs nothing, and resolves when it runs. */
  async startHere(env: Environment = {}): Promise<CommandHere> {
    const instance = this.here(['start'], { ...env, LOG_LEVEL: 'silent' });
    await instance.started();
    return instance;
  }

  /** Starts the instance of this home and resolves when it runs. */
  async start(env?: Environment): Promise<HearthProcess> {
    const instance = this.hearth(['start'], env);
    await instance.started();
    return instance;
  }

  /** Kills all processes that were started here. */
  async killAll(): Promise<void> {
    await Promise.all(this.#processes.map((started) => started[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killAll();
    await rm(this.folder, { recursive: true, force: true });
  }
}
