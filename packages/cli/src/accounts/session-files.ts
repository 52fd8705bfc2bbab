import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Surroundings } from '../command.ts';

/** A session that was begun with `hearth login`. */
export interface StoredSession {
  /** The origins of the addresses that it is used for. */
  readonly origins: readonly string[];
  /** The address of the instance's REST service, as the instance names it. */
  readonly rest: string;
  readonly instance_name: string;
  readonly username: string;
  readonly token: string;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OF_OTHERS = 0o077;
const EXTENSION = '.json';

/** The sessions of this user of the machine: one file for each instance, which nobody else can read. */
export class SessionFiles {
  readonly #folder: string;
  readonly #warn: Surroundings['warn'];

  constructor({ env, warn }: Pick<Surroundings, 'env' | 'warn'>) {
    this.#folder = join(configFolder(env), 'hearth', 'sessions');
    this.#warn = warn;
  }

  /** All sessions, by the addresses of their instances. What cannot be used is left out with a warning. */
  async list(): Promise<readonly StoredSession[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files = names.filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'));
    const sessions = await Promise.all(files.toSorted().map((name) => this.#read(name)));
    return sessions
      .filter((session) => session !== undefined)
      .toSorted((one, other) => (one.rest < other.rest ? -1 : 1));
  }

  /** The session of the instance that has its REST service at `rest`. */
  async find(rest: string): Promise<StoredSession | undefined> {
    return (await this.list()).find((session) => session.rest === rest);
  }

  /** Stores a session in place of that of the same instance. The file is there as a whole or not at all. */
  async write(session: StoredSession): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    const path = this.#path(session.rest);
    const name = randomBytes(8).toString('hex');
    const made = join(this.#folder, `.${name}.tmp`);
    try {
      const text = `${JSON.stringify(session, undefined, 2)}\n`;
      await writeFile(made, text, { flag: 'wx', mode: FILE_MODE, flush: true });
      await rename(made, path);
    } catch (error) {
      await rm(made, { force: true });
      throw error;
    }
  }

  /** Removes a session, unless there is a newer one of the same instance. */
  async remove({ rest, token }: StoredSession): Promise<void> {
    const stored = await this.find(rest);
    if (stored?.token === token) await rm(this.#path(rest), { force: true });
  }

  async #read(name: string): Promise<StoredSession | undefined> {
    const path = join(this.#folder, name);
    try {
      const { mode } = await stat(path);
      if (process.platform !== 'win32' && (mode & OF_OTHERS) !== 0) {
        this.#ignore(path, `others can read it: chmod 600 ${path}`);
        return undefined;
      }
      const session: unknown = JSON.parse(await readFile(path, 'utf8'));
      if (isSession(session)) return session;
      this.#ignore(path, 'it holds no session');
    } catch (error) {
      this.#ignore(path, error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  #ignore(path: string, reason: string): void {
    this.#warn(`hearth: warning: ${path} is ignored: ${reason.replaceAll('\n', ' ')}\n`);
  }

  #path(rest: string): string {
    const readable = rest.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '_');
    const digest = createHash('sha256').update(rest).digest('hex').slice(0, 8);
    return join(this.#folder, `${readable.slice(0, 100)}-${digest}${EXTENSION}`);
  }
}

/** XDG Base Directory Specification: relative paths are ignored. */
function configFolder({
  XDG_CONFIG_HOME: given = '',
  HOME: home = '',
}: Surroundings['env']): string {
  return isAbsolute(given) ? given : join(home === '' ? homedir() : home, '.config');
}

function isSession(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false;
  const { origins, rest, instance_name: name, username, token } = value as Partial<StoredSession>;
  return (
    Array.isArray(origins) &&
    [rest, name, username, token].every((text) => typeof text === 'string')
  );
}
