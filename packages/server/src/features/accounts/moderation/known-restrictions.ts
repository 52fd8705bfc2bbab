import { ServerError } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { within } from '../../../lib/within.ts';
import type { Logger } from '../../../log/logger.ts';
import type { Change, Database } from '../../../ports/database/database.ts';
import type { CodeGuesses, InForce, Restrictions } from '../../../restrictions.ts';
import { NOTHING_IN_FORCE, readInForce } from './in-force.ts';

/** The age in milliseconds that the knowledge that nothing has changed may reach. */
const HEAR_MS = 200;

/** The time in milliseconds that the database may take before it counts as unavailable. */
const ANSWER_MS = 1_000;

/** The time in milliseconds after which a process that does not know what is in force tries to read it again. */
const RETRY_MS = 500;

export interface KnownRestrictionsOptions {
  readonly database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly guesses: CodeGuesses;
}

/**
 * The restrictions in force, kept in memory, and read again when the database reports a change. While this process may
 * be missing changes, every question reads the database. If that does not answer, an instance without restrictions
 * stays as it was: it worked without a database before, and an owner's command needs one.
 */
export class KnownRestrictions implements Restrictions, AsyncDisposable {
  readonly #options: KnownRestrictionsOptions;
  readonly #listeners = new Set<(inForce: InForce) => void>();
  readonly #stop: (() => void)[] = [];
  #latest = NOTHING_IN_FORCE;
  #wasRead = false;
  /** True if nothing has changed since the latest was read. */
  #isCurrent = false;
  #changes = 0;
  #reading: Promise<InForce | undefined> | undefined;
  #isAway = false;
  #heardAtMs = -Infinity;
  #isCertain = false;

  /** Reads what is in force. If that fails, it is read when it is needed. */
  static async open(options: KnownRestrictionsOptions): Promise<KnownRestrictions> {
    const restrictions = new KnownRestrictions(options);
    await within(restrictions.#read(), ANSWER_MS);
    return restrictions;
  }

  private constructor(options: KnownRestrictionsOptions) {
    const { database, clock } = options;
    this.#options = options;
    this.#stop.push(
      database.onChange((changes) => {
        if (concerns(changes)) this.#forget();
      }),
      clock.every(RETRY_MS, () => {
        if (!this.#isCurrent || this.#isAway) void this.#read();
      }),
    );
  }

  get guesses(): CodeGuesses {
    return this.#options.guesses;
  }

  get latest(): InForce {
    return this.#latest;
  }

  current(): InForce | Promise<InForce> {
    return this.#hears() && this.#isCurrent ? this.#latest : this.#ask();
  }

  onChange(listener: (inForce: InForce) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#stop) stop();
    this.#listeners.clear();
    await this.#reading;
  }

  // Not at every question, because asking costs as much as a small part of a post.
  #hears(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#heardAtMs >= HEAR_MS) {
      this.#heardAtMs = nowMs;
      this.#isCertain = this.#options.database.hearChanges();
    }
    return this.#isCertain;
  }

  async #ask(): Promise<InForce> {
    const reading = this.#read();
    const inForce = this.#isAway ? undefined : await within(reading, ANSWER_MS);
    if (inForce !== undefined) return inForce;
    this.#isAway = true;
    // The reading that goes on will end this.
    if (this.#wasRead && this.#latest.isNothing) return this.#latest;
    throw new ServerError('Checking what is allowed');
  }

  #forget(): void {
    this.#changes += 1;
    this.#isCurrent = false;
    void this.#read();
  }

  /** Resolves with what is in force, or with undefined if it cannot be read. */
  #read(): Promise<InForce | undefined> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<InForce | undefined> {
    const { database, clock, log } = this.#options;
    try {
      for (;;) {
        const changes = this.#changes;
        const inForce = await readInForce(database.reader, clock.unixMs());
        if (changes !== this.#changes) continue;
        this.#take(inForce);
        return inForce;
      }
    } catch (err) {
      log.debug({ err }, 'what the owner restricts cannot be read');
      this.#isAway = true;
      return undefined;
    }
  }

  #take(inForce: InForce): void {
    const hadNothing = this.#latest.isNothing;
    this.#latest = inForce;
    [this.#wasRead, this.#isCurrent, this.#isAway] = [true, true, false];
    if (hadNothing && inForce.isNothing) return;
    for (const listener of this.#listeners) listener(inForce);
  }
}

function concerns(changes: readonly Change[] | 'unknown'): boolean {
  return changes === 'unknown' || changes.some(({ kind }) => kind === 'moderation');
}
