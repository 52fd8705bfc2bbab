import type { Id } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import { ChangeCache } from '../../ports/database/change-cache.ts';
import type { Database } from '../../ports/database/database.ts';
import { memberKey } from '../members/known-members.ts';
import { selectBan } from './store.ts';

/** Of how many people it is remembered whether they are banned from a community. */
const MOST_REMEMBERED = 50_000;

/** Who is banned. What was read is remembered until any process changes it. */
export class KnownBans {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  /** Until when: 0 for those who are not banned. */
  readonly #known: ChangeCache<string, number>;

  constructor(database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'members', { max: MOST_REMEMBERED });
  }

  /** Whether a user is banned from a community. */
  async has({ clock }: { readonly clock: Clock }, communityId: Id, userId: Id): Promise<boolean> {
    const nowMs = clock.unixMs();
    const key = memberKey(communityId, userId);
    const known = this.#known.get(key);
    if (known !== undefined) return known > nowMs;
    const remember = this.#known.reading();
    const ban = await selectBan(this.#database.reader, { communityId, userId, nowMs });
    const expiresAtMs = ban?.expiresAtMs ?? 0;
    const value = ban !== undefined && expiresAtMs === 0 ? Infinity : expiresAtMs;
    remember([{ key, value, madeFrom: [key] }]);
    return value > nowMs;
  }
}
