import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../ports/database/database.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import type { TokenKeyStore } from './token-key-store.ts';
import type { TokenKeys } from './token-keys.ts';
import type { TokenKeySource } from './tokens.ts';

const CURRENT = 'current';

/** The time in milliseconds after which tokens with unknown keys may cause another read. */
const REREAD_MS = 1_000;

/** Remembers the keys of tokens until any process replaces them. */
export class TokenKeyring implements TokenKeySource {
  readonly #store: TokenKeyStore;
  readonly #known: ChangeCache<typeof CURRENT, TokenKeys>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #reading: Promise<TokenKeys> | undefined;
  #lastReadAt = -Infinity;

  constructor(
    store: TokenKeyStore,
    { database, clock }: { readonly database: Database; readonly clock: Clock },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#known = new ChangeCache(database, 'token_keys', { max: 1 });
  }

  async current(): Promise<TokenKeys> {
    return this.#known.get(CURRENT) ?? (await this.#read());
  }

  async newest(): Promise<TokenKeys> {
    if (this.#clock.monotonicMs() < this.#lastReadAt + REREAD_MS) return await this.current();
    return await this.#read();
  }

  /** Reads the keys, once for all who ask at the same time. */
  #read(): Promise<TokenKeys> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<TokenKeys> {
    this.#lastReadAt = this.#clock.monotonicMs();
    const remember = this.#known.reading();
    const keys = await this.#store.read();
    remember([{ key: CURRENT, value: keys, madeFrom: [CURRENT] }]);
    return keys;
  }
}
