import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ValidationError, type Id } from '@hearth/protocol';
import type { Database } from '../../../ports/database/database.ts';
import { packIds, unpackIds } from '../../../ports/database/packed-ids.ts';
import { Secret } from '../settings/settings.ts';

/** The setting with the key that cursors are encrypted with. */
const KEY_SETTING = 'sealed_cursor_key';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Cursors of lists in which a page may end at something that its reader may not see. They are encrypted with a key of the
 * instance, so nobody learns from them that it exists or when it was written. Each belongs to one list.
 */
export class SealedCursors {
  readonly #secret: Secret;

  constructor(database: Database) {
    this.#secret = new Secret(database, KEY_SETTING);
  }

  /** The cursor for what comes after an id in a list. Throws what the database throws. */
  async write(list: string, id: Id): Promise<string> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, await this.#readKey(), nonce).setAAD(
      Buffer.from(list),
    );
    // All ids have the same length in this form.
    const text = Buffer.concat([cipher.update(packIds([id])), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** The id that a cursor of this list stands for; undefined without one. Throws ValidationError for any other text. */
  async read(list: string, cursor: string | undefined): Promise<Id | undefined> {
    if (cursor === undefined) return undefined;
    const key = await this.#readKey();
    const bytes = Buffer.from(cursor, 'base64url');
    const textAt = NONCE_BYTES + TAG_BYTES;
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(list)).setAuthTag(bytes.subarray(NONCE_BYTES, textAt));
      const text = Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]);
      return unpackIds(text.toString())[0];
    } catch {
      throw new ValidationError('cursor', 'must be that of the link to a next page');
    }
  }

  async #readKey(): Promise<Buffer> {
    return Buffer.from(await this.#secret.read(), 'base64url');
  }
}

export interface KeepsSealedCursors {
  readonly sealedCursors: SealedCursors;
}
