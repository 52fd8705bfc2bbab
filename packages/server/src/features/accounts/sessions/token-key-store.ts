import { open, readFile, rename, stat } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../../lib/error-code.ts';
import { StartError } from '../../../lib/start-error.ts';
import type { EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { insertKeys, selectKeys, updateKeys } from './store.ts';
import { newTokenKeys, tokenKeysSchema, type TokenKeys } from './token-keys.ts';

/** The place where the keys of an instance's tokens are kept. */
export interface TokenKeyStore {
  /** The keys. Throws StartError, and what the database throws. */
  read(): Promise<TokenKeys>;
  /** Replaces the keys, or makes them if there are none, and returns them. All processes hear of it. */
  replace(make: (old: TokenKeys | undefined) => Promise<TokenKeys>): Promise<TokenKeys>;
}

export interface KeepsTokenKeys {
  readonly tokenKeys: TokenKeyStore;
}

const IN_DATABASE = 'the row of the table token_keys';

/** The part of a database that the stores need. */
type KeyDatabase = Pick<EmittingDatabase, 'reader' | 'transaction'>;

/** Keeps them in the database, so that they belong to every backup and move with the instance. Made on the first read. */
export function databaseKeys(database: KeyDatabase): TokenKeyStore {
  const replace: TokenKeyStore['replace'] = async (make) => {
    for (;;) {
      const old = await selectKeys(database.reader);
      const keys = await make(old === undefined ? undefined : parsed(old, IN_DATABASE));
      const text = JSON.stringify(keys);
      const isDone = await database.transaction(async (tx) => {
        const isOurs =
          old === undefined
            ? await insertKeys(tx.sql, text)
            : await updateKeys(tx.sql, { from: old, to: text });
        if (isOurs) tx.changed('token_keys', 'current');
        return isOurs;
      });
      if (isDone) return keys;
    }
  };
  return {
    replace,
    async read() {
      const found = await selectKeys(database.reader);
      // The first process has made them; no other replaces what it signs with.
      if (found === undefined) return await replace(async (old) => old ?? (await newTokenKeys()));
      return parsed(found, IN_DATABASE);
    },
  };
}

/** Keeps them in a file that its owner alone may read. The owner copies it to all machines of the instance. */
export function fileKeys(path: string, database: KeyDatabase): TokenKeyStore {
  const read = async (): Promise<TokenKeys> => {
    const text = await reading(path);
    if (text !== undefined) return parsed(text, `TOKEN_KEY_FILE: ${path}`);
    throw new StartError(
      `TOKEN_KEY_FILE: ${path} does not exist: make it with "hearth keys rotate", or correct the path`,
    );
  };
  return {
    read,
    async replace(make) {
      const text = await reading(path);
      const keys = await make(
        text === undefined ? undefined : parsed(text, `TOKEN_KEY_FILE: ${path}`),
      );
      await writing(path, `${JSON.stringify(keys, null, 2)}\n`);
      await database.transaction(async (tx) => tx.changed('token_keys', 'current'));
      return keys;
    },
  };
}

async function reading(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) {
      throw new StartError(
        `TOKEN_KEY_FILE: other users of this machine may use ${path}: run chmod 600 on it`,
      );
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (StartError.is(error)) throw error;
    throw new StartError(`TOKEN_KEY_FILE: cannot read ${path}: ${errorMessage(error)}`);
  }
}

/** Writes a file that is never seen half written. */
async function writing(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    throw new StartError(`TOKEN_KEY_FILE: cannot write ${path}: ${errorMessage(error)}`);
  }
}

function parsed(text: string, place: string): TokenKeys {
  const json = jsonOf(text);
  const { success, data, error } = tokenKeysSchema.safeParse(json);
  if (success) return data;
  // The validator's own words mean nothing to an owner, and the text of a key belongs in no message.
  const at = error.issues[0]?.path.join('.') ?? '';
  const reason =
    json === undefined
      ? 'it is not JSON'
      : `${at === '' ? 'its content' : at} is missing or not what "hearth keys rotate" writes`;
  throw new StartError(
    `${place} has no valid keys of tokens: ${reason}; restore it from a backup, or remove it and run "hearth keys rotate": everyone signs in again then`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
