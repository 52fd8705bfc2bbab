import { communityStream, type Id } from '@hearth/protocol';
import type { Audiences as Found } from './find-audiences.ts';
import type { ReadTogether } from './ready-part.ts';
import { streamsOf } from './streams-of.ts';
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
import type { Change, Database } from '../../../ports/database/database.ts';

/** How many users, and how many communities, are looked up with one query. */
const MOST_USERS = 200;
const MOST_WHOLE = 50;
const MOST_COMMUNITIES = 20;

/** How often users who come back are looked up, in milliseconds: their tokens are, too, which takes most of the queries. */
const COME_BACK_MS = 100;

/** What the gateway asks about communities. */
export interface CommunityQueries {
  /** All communities of users, and their memberships, as they were at one moment. */
  ofUsers(users: readonly Id[]): Promise<Found>;

  /** Communities, and who of the users is a member there, as they were at one moment. */
  ofCommunities(communities: readonly Id[], users: readonly Id[]): Promise<Found>;

  /** What describes to each of these members what READY says about their communities. */
  whole(together: ReadTogether): Promise<DescribeWhole>;
}

/** Describes to a user the communities of these memberships. */
export type DescribeWhole = (user: Id, memberships: readonly StoredMember[]) => ReadyState;

export interface AudienceReadsOptions {
  readonly queries: CommunityQueries;
  readonly database: Pick<Database, 'onChange'>;
  readonly since: () => StreamsSince;
}

/** What was read, and what has happened since the reading began. It may be used until the next turn of the event loop. */
export interface Reading {
  readonly found: Found;
  readonly since: StreamsSince;
  readonly changes: ChangesSince;
}

/** What a user is to follow, and all that was read then. */
export interface Standing extends UserStanding {
  readonly reading: Reading | undefined;
}

/** Which communities and memberships the database has reported as changed since a point. */
export class ChangesSince {
  /** Whether anything may have changed. */
  isUnknown = false;
  readonly #communities = new Set<string>();
  readonly #members = new Map<string, Set<string>>();

  note(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') {
      this.isUnknown = true;
      return;
    }
    for (const { kind, id } of changes) {
      if (kind === 'communities') this.#communities.add(id);
      if (kind !== 'members') continue;
      const [community = '', user = ''] = id.split(' ');
      this.#members.getOrInsertComputed(user, () => new Set()).add(community);
    }
  }

  /** Whether a community, or a membership of the user in it, may have changed. */
  mayConcern(community: string, user: string): boolean {
    if (this.isUnknown || this.#communities.has(community)) return true;
    return this.#members.get(user)?.has(community) === true;
  }

  /** The communities in which memberships of the user have changed. */
  joinedBy(user: string): Iterable<string> {
    return this.#members.get(user) ?? [];
  }
}

/** Reads who may follow which streams: for many at once, however many ask at the same time. */
export class AudienceReads implements GatewayPart, UserReads {
  readonly #options: AudienceReadsOptions;
  readonly #users: Batches<Id, Reading>;
  readonly #whole: Batches<Id, Reading & { readonly describe: DescribeWhole }>;
  readonly #communities: Batches<Asked, Reading>;
  readonly #changes = new Set<ChangesSince>();
  readonly #stopHearing: () => void;

  constructor(options: AudienceReadsOptions) {
    this.#options = options;
    const { queries } = options;
    this.#users = new Batches({
      most: MOST_USERS,
      periodMs: COME_BACK_MS,
      run: (users) => this.#read(users, () => queries.ofUsers(users)),
    });
    this.#whole = new Batches({
      most: MOST_WHOLE,
      run: (users) => this.#readWhole(users),
    });
    this.#communities = new Batches({
      most: MOST_COMMUNITIES,
      run: (asked) =>
        this.#read(asked, () =>
          queries.ofCommunities(
            [...new Set(asked.map(({ community }) => community))],
            [...new Set(asked.flatMap(({ users }) => users))],
          ),
        ),
    });
    this.#stopHearing = options.database.onChange((changes) => {
      for (const each of this.#changes) each.note(changes);
    });
  }

  /** What a user is to follow. */
  async ofUser(user: Id): Promise<Standing> {
    const reading = await this.#users.add(user);
    return { seats: seatsIn(reading.found, user), reading };
  }

  /** The same, and what the user is shown of these communities. */
  async wholeOf(user: Id): Promise<Standing & WholeStanding> {
    const { describe, ...reading } = await this.#whole.add(user);
    const memberships = (reading.found.members.get(user) ?? []).toSorted(
      (one, other) => one.joinedAtMs - other.joinedAtMs,
    );
    return {
      seats: seatsIn(reading.found, user),
      reading,
      state: describe(user, memberships),
    };
  }

  /** A community, and who of the users is a member there. */
  ofCommunity(community: Id, users: readonly Id[]): Promise<Reading> {
    return this.#communities.add({ community, users });
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  async #readWhole(users: readonly Id[]) {
    const { queries } = this.#options;
    let describe: DescribeWhole = () => ({});
    const readings = await this.#read(users, async () => {
      const found = await queries.ofUsers(users);
      const members = [...found.members.values()].flat();
      describe = await queries.whole({
        users,
        communities: [...found.communities.keys()],
        members,
      });
      return found;
    });
    return readings.map((reading) => ({ ...reading, describe }));
  }

  /** Follow first, then read: what happens meanwhile is noted. */
  async #read(items: readonly unknown[], read: () => Promise<Found>): Promise<Reading[]> {
    const since = this.#options.since();
    const changes = new ChangesSince();
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
  readonly community: Id;
  readonly users: readonly Id[];
}

function seatsIn({ communities, members }: Found, user: Id): SeatPlan[] {
  return (members.get(user) ?? []).flatMap((member) => {
    const community = communities.get(member.communityId);
    const streams = community === undefined ? [] : streamsOf(community, member);
    return streams.length === 0
      ? []
      : [{ community: member.communityId, roles: member.roleIds, streams }];
  });
}

/** Whether the access of a user to what a seat has may have ended since it was read. */
export function mayHaveEnded({ since }: Pick<Reading, 'since'>, seat: SeatPlan, user: Id): boolean {
  return since.mayHaveEnded([communityStream(seat.community), ...seat.streams], user);
}
