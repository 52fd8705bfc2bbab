import { RateLimitedError } from '@hearth/protocol';
import { Semaphore } from '../../../lib/semaphore.ts';
import { hashArgon2, verifyArgon2, type Argon2Cost } from '../../../runtime/argon2.ts';
import { threadShares } from '../../../runtime/thread-pool.ts';

/** The least cost that OWASP's Password Storage Cheat Sheet recommends for argon2id with one lane. */
const COST: Argon2Cost = { memoryKiB: 19_456, passes: 2 };

/** The number of passwords that may wait. The next one is asked to come again. */
const MOST_WAITING = 1_000;

const COME_AGAIN_MS = 5_000;

/** The result of comparing a password. */
export interface Comparison {
  readonly isRight: boolean;
  /** A new hash of a right password, if the one that is stored was made with other parameters. */
  readonly renewed?: string;
}

/** Replacements for tests. */
export interface PasswordsOptions {
  readonly cost?: Argon2Cost;
  readonly lanes?: number;
  readonly mostWaiting?: number;
}

/**
 * Hashes and compares passwords, on all processors but one at most, so that many sign-ins slow down each other and nothing
 * else. Throws RateLimitedError if too many are waiting.
 */
export class Passwords {
  readonly #cost: Argon2Cost;
  readonly #lanes: Semaphore;
  readonly #mostWaiting: number;
  #waiting = 0;
  #hashOfNobody: Promise<string> | undefined;

  constructor({
    cost = COST,
    lanes = threadShares().hashing,
    mostWaiting = MOST_WAITING,
  }: PasswordsOptions = {}) {
    this.#cost = cost;
    this.#lanes = new Semaphore(lanes);
    this.#mostWaiting = mostWaiting;
  }

  hash(password: string): Promise<string> {
    return this.#inLane(() => hashArgon2(normalised(password), this.#cost));
  }

  /** Compares a password with a hash. Without a hash, it is wrong after the same work. */
  compare(password: string, hash: string | undefined): Promise<Comparison> {
    return this.#inLane(async () => {
      this.#hashOfNobody ??= hashArgon2(crypto.randomUUID(), this.#cost);
      const isRight = await verifyArgon2(normalised(password), hash ?? (await this.#hashOfNobody));
      if (!isRight || hash === undefined) return { isRight: false };
      if (hash.startsWith(prefixOf(this.#cost))) return { isRight };
      return { isRight, renewed: await hashArgon2(normalised(password), this.#cost) };
    });
  }

  async #inLane<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= this.#mostWaiting) throw new RateLimitedError(COME_AGAIN_MS);
    this.#waiting += 1;
    try {
      using _lane = await this.#lanes.acquire();
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}

export interface KeepsPasswords {
  readonly passwords: Passwords;
}

/** Returns the beginning of hashes of this cost. */
function prefixOf({ memoryKiB, passes }: Argon2Cost): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$`;
}

// The same characters may be typed as different code points on different keyboards.
function normalised(password: string): string {
  return password.normalize('NFC');
}
