import type { Id } from '@hearth/protocol';
import { changedIn, type Followed, type FollowedBy, type FollowedKind } from './followed.ts';
import type { ReadTogether } from './ready-part.ts';
import type { StoredMember } from '../structure/structure.ts';
import type {
  GatewayPart,
  ReadyState,
  SeatPlan,
  StreamsSince,
  UserReads,
  UserStanding,
  WholeStanding,
} from '../../../gateway-host.ts';
import { Batches } from '../../../lib/batches.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import type { Change, Database } from '../../../ports/database/database.ts';

/** The number of users, and of homes, that are looked up with one query. */
const MOST_USERS = 200;
const MOST_WHOLE = 50;
const MOST_HOMES = 20;

/**
 * The time in milliseconds between two lookups of users who come back: their tokens are looked up, too, which takes
 * most of the queries.
 */
const COME_BACK_MS = 100;

/** Queries of the gateway. */
export interface FollowedQueries {
  /** Finds what users are to follow. */
  followed(by: FollowedBy): Promise<Followed>;

  /** Resolves with a function that describes to each of these users what READY says to them. */
  whole(together: ReadTogether): Promise<DescribeWhole>;
}

/** Describes to a user the communities of these memberships. */
export type DescribeWhole = (user: Id, memberships: readonly StoredMember[]) => ReadyState;

export interface AudienceReadsOptions {
  readonly kinds: readonly Pick<FollowedKind, 'prefix' | 'changes'>[];
  readonly queries: FollowedQueries;
  readonly database: Pick<Database, 'onChange'>;
  readonly since: () => StreamsSince;
}

/**
 * The result of a reading, and what has happened since it began. It may be used until the next turn of the event loop.
 */
export interface Reading {
  readonly found: Followed;
  readonly since: StreamsSince;
  readonly changes: ChangesSince;
}

/** The seats of a user, and all that was read with them. */
export interface Standing extends UserStanding {
  readonly reading: Reading | undefined;
}

/** Which homes, and whose parts in them, the database has reported as changed since a point. */
export class ChangesSince {
  /** True if anything may have changed. */
  isUnknown = false;
  readonly #kinds: AudienceReadsOptions['kinds'];
  readonly #homes = new Set<StreamName>();
  /** In which homes something was changed about users. */
  readonly #parts = new Map<Id, Set<StreamName>>();

  constructor(kinds: AudienceReadsOptions['kinds']) {
    this.#kinds = kinds;
  }

  note(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') {
      this.isUnknown = true;
      return;
    }
    for (const change of changes) {
      const concerned = changedIn(this.#kinds, change);
      if (concerned === undefined) continue;
      const { home, user } = concerned;
      if (user === undefined) this.#homes.add(home);
      else this.#parts.getOrInsertComputed(user, () => new Set()).add(home);
    }
  }

  /** Returns whether a home, or what the user follows of it, may have changed. */
  mayConcern(home: StreamName, user: Id): boolean {
    if (this.isUnknown || this.#homes.has(home)) return true;
    return this.#parts.get(user)?.has(home) === true;
  }

  /** The homes of which the user may follow something else since. */
  joinedBy(user: Id): Iterable<StreamName> {
    return this.#parts.get(user) ?? [];
  }
}

/** Reads who may follow which streams: for many at once, however many ask at the same time. */
export class AudienceReads implements GatewayPart, UserReads {
  readonly #options: AudienceReadsOptions;
  readonly #users: Batches<Id, Reading>;
  readonly #whole: Batches<Id, Reading & { readonly describe: DescribeWhole }>;
  readonly #homes: Batches<Asked, Reading>;
  readonly #changes = new Set<ChangesSince>();
  readonly #stopHearing: () => void;

  constructor(options: AudienceReadsOptions) {
    this.#options = options;
    const { queries } = options;
    this.#users = new Batches({
      most: MOST_USERS,
      periodMs: COME_BACK_MS,
      run: (users) => this.#read(users, () => queries.followed({ users })),
    });
    this.#whole = new Batches({
      most: MOST_WHOLE,
      run: (users) => this.#readWhole(users),
    });
    this.#homes = new Batches({
      most: MOST_HOMES,
      run: (asked) =>
        this.#read(asked, () =>
          queries.followed({
            homes: [...new Set(asked.map(({ home }) => home))],
            users: [...new Set(asked.flatMap(({ users }) => users))],
          }),
        ),
    });
    this.#stopHearing = options.database.onChange((changes) => {
      for (const each of this.#changes) each.note(changes);
    });
  }

  /** Reads what a user is to follow. */
  async ofUser(user: Id): Promise<Standing> {
    const reading = await this.#users.add(user);
    return { seats: reading.found.seats.get(user) ?? [], reading };
  }

  /** Reads what a user is to follow, and what READY says to them. */
  async wholeOf(user: Id): Promise<Standing & WholeStanding> {
    const { describe, ...reading } = await this.#whole.add(user);
    const memberships = (reading.found.members.get(user) ?? []).toSorted(
      (one, other) => one.joinedAtMs - other.joinedAtMs,
    );
    return {
      seats: reading.found.seats.get(user) ?? [],
      reading,
      state: describe(user, memberships),
    };
  }

  /** Reads what users are to follow of a home. */
  ofHome(home: StreamName, users: readonly Id[]): Promise<Reading> {
    return this.#homes.add({ home, users });
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  async #readWhole(users: readonly Id[]) {
    const { queries } = this.#options;
    let describe: DescribeWhole = () => ({});
    const readings = await this.#read(users, async () => {
      const found = await queries.followed({ users });
      describe = await queries.whole({ users, members: [...found.members.values()].flat() });
      return found;
    });
    return readings.map((reading) => ({ ...reading, describe }));
  }

  /** Follow first, then read: what happens meanwhile is noted. */
  async #read(items: readonly unknown[], read: () => Promise<Followed>): Promise<Reading[]> {
    const since = this.#options.since();
    const changes = new ChangesSince(this.#options.kinds);
    this.#changes.add(changes);
    const end = () => {
      since[Symbol.dispose]();
      this.#changes.delete(changes);
    };
    try {
      const found = await read();
      setImmediate(end);
      return items.map(() => ({ found, since, changes }));
    } catch (error) {
      end();
      throw error;
    }
  }
}

interface Asked {
  readonly home: StreamName;
  readonly users: readonly Id[];
}

/** Returns whether the access of a user to what a seat has may have ended since it was read. */
export function mayHaveEnded({ since }: Pick<Reading, 'since'>, seat: SeatPlan, user: Id): boolean {
  return since.mayHaveEnded([seat.home, ...seat.streams], user);
}
