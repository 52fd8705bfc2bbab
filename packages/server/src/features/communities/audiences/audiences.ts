export type { AudienceReads } from './audience-reads.ts';
export type { LocalUser } from './local-communities.ts';
export type { MemberPart } from './ready-part.ts';
export { readSeen, readSeenIn, type Seen, type SeenAt } from './read-seen.ts';

import type { Id } from '@hearth/protocol';
import type {
  ConnectedClient,
  Followers,
  GatewayHost,
  GatewayPart,
  SeatPlan,
} from '../../../gateway-host.ts';
import type { Logger } from '../../../log/logger.ts';
import type { EndPublication } from '../../../ports/bus/bus.ts';
import type { Change, Database } from '../../../ports/database/database.ts';
import type { AudienceReads, Reading, Standing } from './audience-reads.ts';
import { LocalPeople, type LocalPeopleOptions } from './local-people.ts';
import { Seat, type LocalCommunity, type LocalUser } from './local-communities.ts';
import { seatFrom, takeSeat, type LostStream } from './take-seat.ts';

/** How many users of a community are read at once. */
const MOST_AT_ONCE = 500;

export interface AudiencesOptions extends LocalPeopleOptions {
  readonly database: Pick<Database, 'onChange' | 'hearChanges'>;
  readonly log: Logger;
  readonly reads: Pick<AudienceReads, 'ofUser' | 'ofCommunity'>;
  readonly hub: Pick<Followers, 'open' | 'decide' | 'follows' | 'isHeld'>;
  readonly arrivals: GatewayHost['arrivals'];
}

/**
 * Which streams of communities the users here may follow, and their sockets do. What ends is closed at the place of its
 * control entry, without asking anyone. What begins is opened after it was read, and what was read is used only for streams
 * of which no end has passed since the reading began: docs/decisions/2026-11-23-audiences.md says why nobody can keep what is
 * not theirs. What the database reports as changed is read again, so this also closes what no control entry has closed.
 */
export class Audiences implements GatewayPart {
  readonly #options: AudiencesOptions;
  readonly #people: LocalPeople;
  readonly #stopHearing: () => void;
  /** Whether the last reading has failed. */
  #isFailing = false;

  constructor(options: AudiencesOptions) {
    this.#options = options;
    this.#people = new LocalPeople(options);
    this.#stopHearing = options.database.onChange((changes) => this.#heard(changes));
  }

  /** What a user is to follow; undefined if this process does not know it for certain. */
  known(user: Id): Standing | undefined {
    const local = this.#people.user(user);
    if (local === undefined || local.isUnsure || !this.#options.database.hearChanges())
      return undefined;
    const seats: SeatPlan[] = [];
    for (const [community, seat] of local.seats) {
      if (seat === undefined || community.isDoubtful(local)) return undefined;
      seats.push({ community: community.id, roles: seat.roles, streams: seat.streams });
    }
    return { seats, reading: undefined };
  }

  /** Adds a socket, which follows what its user is to follow. Returns why it may, by community. */
  seat(socket: ConnectedClient, user: Id, { seats, reading }: Standing): ReadonlyMap<Id, Seat> {
    const local = this.#people.enter(user, socket);
    const taken = new Map<Id, Seat>();
    for (const plan of seats) {
      const community = this.#people.community(plan.community);
      const seat = this.#join(local, community, plan);
      if (reading !== undefined) this.#learn(community, reading);
      taken.set(plan.community, seat);
    }
    if (reading !== undefined) this.#doubtSince(local, reading, taken);
    return taken;
  }

  /** Removes a socket. Its user is remembered for a while. */
  unseat(socket: ConnectedClient, user: Id): void {
    this.#people.leave(socket, user);
  }

  /** Whether a user follows a community as a member, as far as this process knows. */
  isMember(user: Id, id: Id): boolean {
    const community = this.#people.known(id);
    const seat = community && this.#people.user(user)?.seats.get(community);
    return (seat?.streams.length ?? 0) > 0;
  }

  /** The members of a community who are connected here. */
  *onlineIn(id: Id): Generator<Id, undefined> {
    const community = this.#people.known(id);
    for (const { id: user, sockets, seats } of community?.users ?? []) {
      if (sockets.size > 0 && community && seats.get(community) !== undefined) yield user;
    }
  }

  /** Handles what has reached the sockets, such as a control entry. */
  takeEnd({ stream, end }: EndPublication): void {
    const community = this.#people.homeOf(stream);
    if (community === undefined) return;
    const user = 'user' in end ? this.#people.user(end.user) : undefined;
    if ('user' in end && user === undefined) return;
    if (stream === community.stream && !('unless' in end)) {
      // A membership ends as a whole.
      for (const local of user === undefined ? community.users : [user])
        this.#evict(local, community);
    }
    // It may have begun again, or never have ended: what this process knew of the roles may be outdated.
    this.#doubt(community, user ?? 'all');
  }

  /** Reads everything again: anything may have changed. */
  restart(): void {
    for (const local of this.#people.all()) local.isUnsure = true;
    for (const community of this.#people.communities()) this.#doubt(community, 'all');
  }

  /** To be called often: forgets users who left a while ago, and tries again what has failed. */
  tick(): void {
    this.#options.database.hearChanges();
    this.#people.forgetLate();
    // One is enough to find out whether the database answers again.
    const most = this.#isFailing ? 1 : Infinity;
    for (const community of this.#people.doubted().take(most)) this.#settleSoon(community);
    for (const local of this.#people.unsure().take(most)) void this.#discover(local);
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  #heard(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') return this.restart();
    for (const { kind, id } of changes) {
      if (kind === 'communities') {
        // Guarantee: only ids are reported.
        const community = this.#people.known(id as Id);
        if (community !== undefined) this.#doubt(community, 'all');
      } else if (kind === 'members') {
        const [community = '', user = ''] = id.split(' ');
        const local = this.#people.user(user as Id);
        if (local !== undefined) this.#doubt(this.#people.community(community as Id), local);
      }
    }
  }

  #doubt(community: LocalCommunity, whom: LocalUser | 'all'): void {
    if (whom !== 'all' && !whom.seats.has(community)) whom.seats.set(community, undefined);
    if (whom !== 'all') community.users.add(whom);
    community.doubt(whom);
    this.#settleSoon(community);
  }

  /** Doubts what has changed since a reading began that a new socket relies on. */
  #doubtSince(local: LocalUser, { changes }: Reading, taken: ReadonlyMap<Id, Seat>): void {
    if (changes.isUnknown) local.isUnsure = true;
    for (const [community, seat] of local.seats) {
      const isNew = seat !== undefined && !taken.has(community.id);
      if (isNew || changes.mayConcern(community.id, local.id)) this.#doubt(community, local);
    }
    // Guarantee: only ids are reported.
    for (const id of changes.joinedBy(local.id))
      this.#doubt(this.#people.community(id as Id), local);
  }

  #join(local: LocalUser, community: LocalCommunity, plan: SeatPlan): Seat {
    community.users.add(local);
    const known = local.seats.get(community);
    if (known === undefined) {
      const seat = new Seat(local.id, plan);
      local.seats.set(community, seat);
      return seat;
    }
    const all = new Set([...known.streams, ...plan.streams]);
    if (all.size !== known.streams.length || all.size !== plan.streams.length) {
      // One of them is newer.
      known.streams = [...all];
      this.#doubt(community, local);
    }
    return known;
  }

  #learn(community: LocalCommunity, { found }: Reading): void {
    const structure = found.communities.get(community.id);
    if (structure !== undefined) this.#people.learn(community, structure);
  }

  /** Closes what somebody follows of a community at this place. */
  #evict(local: LocalUser, community: LocalCommunity): void {
    const seat = local.seats.get(community);
    if (seat === undefined) return;
    for (const socket of local.sockets) {
      for (const stream of seat.streams) this.#options.hub.decide(socket, stream, false);
    }
    seat.streams = [];
  }

  #settleSoon(community: LocalCommunity): void {
    if (community.isDoubted && !community.isInWork) void this.#settle(community);
  }

  /** Reads and decides until nothing has changed since. */
  async #settle(community: LocalCommunity): Promise<void> {
    while (community.isDoubted) {
      const users = community.begin();
      let isDone = false;
      try {
        await this.#decide(community, users);
        isDone = true;
        this.#isFailing = false;
      } catch (err) {
        // Those who are held wait, and the others keep what they have: no control entry has ended it.
        this.#isFailing = true;
        this.#options.log.debug({ err }, 'it is not known who may follow a community');
      }
      community.end(isDone);
      if (!isDone) break;
    }
    this.#people.clear(community);
  }

  async #decide(community: LocalCommunity, users: readonly LocalUser[]): Promise<void> {
    const lost: LostStream[] = [];
    const parts = Array.from({ length: Math.ceil(users.length / MOST_AT_ONCE) }, (_, part) =>
      users.slice(part * MOST_AT_ONCE, (part + 1) * MOST_AT_ONCE),
    );
    await Promise.all(
      parts.map(async (part) => {
        const ids = part.map(({ id }) => id);
        const reading = await this.#options.reads.ofCommunity(community.id, ids);
        this.#learn(community, reading);
        for (const local of part) {
          const plan = seatFrom(reading, community.id, local.id);
          const taken = takeSeat(this.#options.hub, { local, community, plan, reading });
          lost.push(...taken.lost);
          if (taken.isStale) community.doubt(local);
        }
      }),
    );
    if (lost.length > 0) await this.#close(lost);
  }

  // What was published before its end is sent first, and the control entry closes it then.
  async #close(lost: readonly LostStream[]): Promise<void> {
    await this.#options.arrivals.wait();
    for (const { socket, seat, stream } of lost) {
      if (!seat.streams.includes(stream)) this.#options.hub.decide(socket, stream, false);
    }
  }

  async #discover(local: LocalUser): Promise<void> {
    local.isUnsure = false;
    try {
      const { seats } = await this.#options.reads.ofUser(local.id);
      this.#isFailing = false;
      for (const { community } of seats) {
        const known = this.#people.community(community);
        if (!local.seats.has(known)) this.#doubt(known, local);
      }
    } catch (err) {
      local.isUnsure = true;
      this.#isFailing = true;
      this.#options.log.debug({ err }, 'it is not known which communities a user has');
    }
  }
}
