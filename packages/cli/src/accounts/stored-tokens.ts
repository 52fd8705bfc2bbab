import { possibleUrls, type InstanceInfo, type TokenStorage } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { SessionFiles, type StoredSession } from './session-files.ts';

/** The session that a client uses, once its instance is known. */
export class StoredTokens implements TokenStorage {
  readonly #files: SessionFiles;
  readonly #candidates: readonly StoredSession[];
  #session: StoredSession | undefined;

  constructor(files: SessionFiles, candidates: readonly StoredSession[]) {
    this.#files = files;
    this.#candidates = candidates;
  }

  /** Uses the session of the instance that was found. Undefined if there is none. */
  choose({ oprish_url: rest }: InstanceInfo): StoredSession | undefined {
    this.#session = this.#candidates.find((session) => session.rest === rest);
    return this.#session;
  }

  /** Another process may have stored a newer token than the one that was refused, but also that of another account. */
  async read(refused?: string): Promise<string | undefined> {
    const session = this.#session;
    if (refused !== undefined && session !== undefined) {
      const stored = await this.#files.find(session.rest);
      this.#session = stored?.username === session.username ? stored : undefined;
    }
    return this.#session?.token;
  }

  async write(token: string | undefined): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    if (token === undefined) {
      this.#session = undefined;
      await this.#files.remove(session);
    } else {
      this.#session = { ...session, token };
      await this.#files.write(this.#session);
    }
  }
}

/** The sessions that may be used for `url`: those of instances that were found at its origin. */
export async function sessionsFor(
  url: string,
  files: SessionFiles,
): Promise<readonly StoredSession[]> {
  const origin = originOf(url);
  return (await files.list()).filter(({ origins }) => origins.includes(origin));
}

/** Returns whether there is a session for `url`. */
export async function isSignedIn(
  url: string,
  surroundings: Pick<Surroundings, 'env' | 'warn'>,
): Promise<boolean> {
  if (!isAddress(url)) return false;
  return (await sessionsFor(url, new SessionFiles(surroundings))).length > 0;
}

/** The origin at which an instance is looked for first. A token is sent to no other one. */
export function originOf(url: string): string {
  const [first = url] = possibleUrls(url);
  return new URL(first).origin;
}

/** Returns whether `url` is an HTTP address. The scheme may be missing. */
export function isAddress(url: string): boolean {
  const withScheme = /^\w+:\/\//.test(url) ? url : `http://${url}`;
  return /^https?:/i.test(withScheme) && URL.canParse(withScheme);
}
