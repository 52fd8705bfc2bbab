import { randomBytes } from 'node:crypto';
import type { Database } from '../../../ports/database/database.ts';
import { addSettings, findSetting } from './store.ts';

const SECRET_BYTES = 32;

/** A random secret of the instance, which the first process that needs it makes and stores as a setting. */
export class Secret {
  readonly #database: Database;
  readonly #name: string;
  #text: Promise<string> | undefined;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  /** The secret, 32 bytes in base64url. Throws what the database throws. */
  read(): Promise<string> {
    this.#text ??= this.#readOrMake().catch((error: unknown) => {
      this.#text = undefined;
      throw error;
    });
    return this.#text;
  }

  async #readOrMake(): Promise<string> {
    const name = this.#name;
    const known = await findSetting(this.#database.reader, name);
    if (known !== undefined) return known;
    const value = randomBytes(SECRET_BYTES).toString('base64url');
    return await this.#database.transaction(async ({ sql }) => {
      await addSettings(sql, [{ name, value }]);
      return (await findSetting(sql, name)) ?? value;
    });
  }
}
