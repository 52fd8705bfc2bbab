import type { Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import type { Database } from '../../../ports/database/database.ts';
import { memberKey } from './known-members.ts';
import type { Exclusion } from './exclusion.ts';
import { selectBan, type BanKey } from './ban-store.ts';
import { selectTimeOut } from './time-outs-store.ts';

/** The most people of whom it is remembered what keeps them from more than reading. */
const MOST_REMEMBERED = 50_000;

/** The ends of a ban and of a time-out; 0 if there is none. */
interface Ends {
  readonly bannedUntilMs: number;
  readonly timedOutUntilMs: number;
}

/** Remembers who is banned, and who has left while they were timed out, until any process changes it. */
export class KnownExclusions {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly #known: ChangeCache<string, Ends>;

  constructor(database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'members', { max: MOST_REMEMBERED });
  }

  /** Returns what keeps somebody who is not a member of a community from more than reading. */
  async of({ clock }: { readonly clock: Clock }, communityId: Id, userId: Id): Promise<Exclusion> {
    const nowMs = clock.unixMs();
    const known = this.#known.get(memberKey(communityId, userId));
    const ends = known ?? (await this.#read({ communityId, userId, nowMs }));
    return { isBanned: ends.bannedUntilMs > nowMs, timedOutUntilMs: ends.timedOutUntilMs };
  }

  async #read(key: BanKey): Promise<Ends> {
    const remember = this.#known.reading();
    const { reader } = this.#database;
    const ban = await selectBan(reader, key);
    const value: Ends = {
      // A ban without an end is stored with 0.
      bannedUntilMs: ban === undefined ? 0 : ban.expires_at_ms || Infinity,
      timedOutUntilMs: await selectTimeOut(reader, key),
    };
    const id = memberKey(key.communityId, key.userId);
    remember([{ key: id, value, madeFrom: [id] }]);
    return value;
  }
}

export interface KeepsExclusions {
  readonly exclusions: KnownExclusions;
}
