import { insertedIn, locksIn, upsertedIn, type TableKeys } from './row-locks.ts';

/** The ranks of locks, as docs/locks.md explains them. */
const RANKS = ['nonce', 'rules of a community', 'community', 'place', 'account', 'rows'] as const;

type Rank = (typeof RANKS)[number];

/** The tables of each rank. All others are rows. */
const TABLES: Partial<Readonly<Record<Rank, readonly string[]>>> = {
  nonce: ['used_nonces'],
  community: ['communities', 'community_slugs'],
  place: ['turns'],
  account: [
    'invite_makers',
    'kept_time_outs',
    'mail_codes',
    'member_names',
    'member_roles',
    'members',
    'recovery_codes',
    'registration_requests',
    'sessions',
    'totp',
    'user_names',
    'users',
    'waiting_invites',
  ],
};

/** Parts of a community, which are locked by those who have locked the community for a change, or who lock nothing else. */
const PARTS: ReadonlySet<string> = new Set([
  'channels',
  'channel_overwrites',
  'community_bans',
  'community_invites',
  'join_requests',
  'roles',
]);

const RANK_OF: ReadonlyMap<string, Rank> = new Map(
  RANKS.flatMap((rank) => (TABLES[rank] ?? []).map((table) => [table, rank] as const)),
);

/** The number of characters of a statement that are shown. */
const LONGEST_SHOWN = 500;

/** A statement about one place, or about given ones, whose first column has their ids. */
const ONE_PLACE = /\bwhere id = (?:\$(\d+)|place_id)/;

/** A lock on a name, or on rows of a table. */
interface Lock {
  readonly on: string;
  readonly rank: Rank;
  readonly text: string;
}

/**
 * The ranks of what a transaction has locked. A table counts once: it is not known which of its rows are meant, except that single
 * places are known by their ids.
 */
export class RankedLocks {
  readonly #keys: TableKeys;
  readonly #held = new Set<string>();
  #highest: Lock | undefined;
  /** The lock that is requested after one was refused. */
  #last: Lock | undefined;
  #hasCommunity = false;
  readonly #places = new Set<string>();
  /**
   * True after several places were locked at once, of which it is not known which they are, or the rules of a community
   * alone.
   */
  #hasManyPlaces = false;

  constructor(keys: TableKeys) {
    this.#keys = keys;
  }

  /** Throws if something of a higher rank than this name is locked. Other names than those of rules have no rank. */
  hold(name: string, how: 'shared' | 'alone'): void {
    if (!name.startsWith('rules ')) return;
    this.#take([{ on: name, rank: 'rules of a community', text: `hold ${name}` }]);
    // Everyone else who locks several places holds them too, or has locked the community.
    this.#hasManyPlaces ||= how === 'alone';
  }

  /** Throws if something of a higher rank is locked than what a statement locks. */
  add(text: string, values: readonly unknown[]): void {
    const locked = locksIn(text, this.#keys, values);
    const upserted = upsertedIn(text);
    const tables = [...upserted, ...locked.map(({ table }) => table)];
    this.#take(
      tables
        .filter((table) => !(PARTS.has(table) && this.#hasCommunity))
        .map((table) => ({ on: table, rank: rankOf(table), text })),
    );
    if (tables.includes('turns')) this.#takePlace(text, values);
    this.#hasCommunity ||= locked.some(
      ({ table, strength }) => table === 'communities' && strength.endsWith('update'),
    );
    // Nobody else sees rows that are new.
    for (const table of insertedIn(text)) if (!upserted.includes(table)) this.#held.add(table);
  }

  /** Throws if a place with a greater id is locked already. */
  #takePlace(text: string, values: readonly unknown[]): void {
    const found = ONE_PLACE.exec(text.replaceAll('"', ''));
    const id = found === null ? undefined : values[Number(found[1] ?? 1) - 1];
    this.#hasManyPlaces ||= id === undefined;
    if (typeof id !== 'string' || this.#hasManyPlaces) return;
    const greater = this.#places.values().find((place) => place > id);
    if (greater !== undefined && !this.#places.has(id)) {
      throw new Error(`channel ${id} must be locked before channel ${greater}: ${text}`);
    }
    this.#places.add(id);
  }

  #take(locks: readonly Lock[]): void {
    const added = locks.filter(({ on }) => !this.#held.has(on));
    const highest = this.#highest;
    for (const lock of added) {
      const isLower = highest !== undefined && placeOf(lock) < placeOf(highest);
      const before = this.#last ?? (isLower ? highest : undefined);
      if (before !== undefined) throw new Error(refusalOf(before, lock));
    }
    for (const lock of added) {
      this.#held.add(lock.on);
      if (PARTS.has(lock.on)) this.#last ??= lock;
      if (this.#highest === undefined || placeOf(lock) > placeOf(this.#highest)) {
        this.#highest = lock;
      }
    }
  }
}

function rankOf(table: string): Rank {
  return PARTS.has(table) ? 'community' : (RANK_OF.get(table) ?? 'rows');
}

function placeOf({ rank }: Lock): number {
  return RANKS.indexOf(rank);
}

function refusalOf(before: Lock, then: Lock): string {
  const [first, second] = [before, then].map(({ text }) => text.slice(0, LONGEST_SHOWN));
  return `${then.on} (${then.rank}) must be locked before ${before.on} (${before.rank}): ${first}; then: ${second}`;
}
