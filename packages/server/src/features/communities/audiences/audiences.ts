export { COMMUNITIES } from './find-audiences.ts';
export type { FollowedKind } from './followed.ts';
export type { AudienceReads } from './audience-reads.ts';
export type { LocalUser } from './local-homes.ts';
export type { MemberPart } from './ready-part.ts';
export { readSeen, readSeenIn, seenWith, type Seen, type SeenAt } from './read-seen.ts';

import { communityStream, type Id } from '@hearth/protocol';
import type {
  ConnectedClient,
  Followers,
  GatewayHost,
  GatewayPart,
  SeatPlan,
} from '../../../gateway-host.ts';
import type { Logger } from '../../../log/logger.ts';
import type { EndPublication, StreamName } from '../../../ports/bus/bus.ts';
import type { Change, Database } from '../../../ports/database/database.ts';
import type { AudienceReads, Reading, Standing } from './audience-reads.ts';
import { changedIn, type FollowedKind } from './followed.ts';
import { LocalPeople, type LocalPeopleOptions } from './local-people.ts';
import { Seat, type LocalHome, type LocalUser } from './local-homes.ts';
import { seatFrom, takeSeat, type LostStream } from './take-seat.ts';

/** The number of users of a home who are read at once. */
const MOST_AT_ONCE = 500;

export interface AudiencesOptions extends LocalPeopleOptions {
  readonly kinds: readonly Pick<FollowedKind, 'prefix' | 'changes'>[];
  readonly database: Pick<Database, 'onChange' | 'hearChanges'>;
  readonly log: Logger;
  readonly reads: Pick<AudienceReads, 'ofUser' | 'ofHome'>;
  readonly hub: Pick<Followers, 'open' | 'decide' | 'follows' | 'isHeld'>;
  readonly arrivals: GatewayHost['arrivals'];
}

/**
 * Which streams of communities and other homes the users here may follow, and their sockets do. What ends is closed at the place of its
 * control entry, without asking anyone. What begins is opened after it was read, and what was read is used only for streams
 * of which no end has passed since the reading began: docs/decisions/2026-11-23-audiences.md says why nobody can keep what is
 * not theirs. What the database reports as changed is read again, so this also closes what no control entry has closed.
 */
export class Audiences implements GatewayPart {
  readonly #options: AudiencesOptions;
  readonly #people: LocalPeople;
  readonly #stopHearing: () => void;
  /** True if the last reading has failed. */
  #isFailing = false;

  constructor(options: AudiencesOptions) {
    this.#options = options;
    this.#people = new LocalPeople(options);
    this.#stopHearing = options.database.onChange((changes) => this.#heard(changes));
  }

  /** Returns what a user is to follow; undefined if this process does not know it for certain. */
  known(user: Id): Standing | undefined {
    const local = this.#people.user(user);
    if (local === undefined || local.isUnsure || !this.#options.database.hearChanges())
      return undefined;
    const seats: SeatPlan[] = [];
    for (const [home, seat] of local.seats) {
      if (seat === undefined || home.isDoubtful(local)) return undefined;
      seats.push(seat.plan);
    }
    return { seats, reading: undefined };
  }

  /** Adds a socket, which follows what its user is to follow. Returns why it may, by home. */
  seat(
    socket: ConnectedClient,
    user: Id,
    { seats, reading }: Standing,
  ): ReadonlyMap<StreamName, Seat> {
    const local = this.#people.enter(user, socket);
    const taken = new Map<StreamName, Seat>();
    for (const plan of seats) {
      const home = this.#people.home(plan.home);
      const seat = this.#join(local, home, plan);
      if (reading !== undefined) this.#learn(home, reading);
      taken.set(plan.home, seat);
    }
    if (reading !== undefined) this.#doubtSince(local, reading, taken);
    return taken;
  }

  /** Removes a socket. Its user is remembered for a while. */
  unseat(socket: ConnectedClient, user: Id): void {
    this.#people.leave(socket, user);
  }

  /** Returns whether a user follows a community as a member, as far as this process knows. */
  isMember(user: Id, id: Id): boolean {
    const home = this.#people.known(communityStream(id));
    const seat = home && this.#people.user(user)?.seats.get(home);
    return (seat?.streams.length ?? 0) > 0;
  }

  /** The members of a community who are connected here. */
  *onlineIn(id: Id): Generator<Id, undefined> {
    const home = this.#people.known(communityStream(id));
    for (const { id: user, sockets, seats } of home?.users ?? []) {
      if (sockets.size > 0 && home && seats.get(home) !== undefined) yield user;
    }
  }

  /** Handles what has reached the sockets, such as a control entry. */
  takeEnd({ stream, end }: EndPublication): void {
    const home = this.#people.homeOf(stream);
    if (home === undefined) return;
    const user = 'user' in end ? this.#people.user(end.user) : undefined;
    if ('user' in end && user === undefined) return;
    if (stream === home.stream && !('unless' in end)) {
      // A membership ends as a whole.
      for (const local of user === undefined ? home.users : [user]) this.#evict(local, home);
    }
    // It may have begun again, or never have ended: what this process knew of the roles may be outdated.
    this.#doubt(home, user ?? 'all');
  }

  /** Reads everything again: anything may have changed. */
  restart(): void {
    for (const local of this.#people.all()) local.isUnsure = true;
    for (const home of this.#people.homes()) this.#doubt(home, 'all');
  }

  /** To be called often: forgets users who left a while ago, and tries again what has failed. */
  tick(): void {
    this.#options.database.hearChanges();
    this.#people.forgetLate();
    // One is enough to find out whether the database answers again.
    const most = this.#isFailing ? 1 : Infinity;
    for (const home of this.#people.doubted().take(most)) this.#settleSoon(home);
    for (const local of this.#people.unsure().take(most)) void this.#discover(local);
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  #heard(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') return this.restart();
    for (const change of changes) {
      const concerned = changedIn(this.#options.kinds, change);
      if (concerned === undefined) continue;
      const { home, user } = concerned;
      if (user === undefined) {
        const known = this.#people.known(home);
        if (known !== undefined) this.#doubt(known, 'all');
      } else {
        const local = this.#people.user(user);
        if (local !== undefined) this.#doubt(this.#people.home(home), local);
      }
    }
  }

  #doubt(home: LocalHome, whom: LocalUser | 'all'): void {
    if (whom !== 'all' && !whom.seats.has(home)) whom.seats.set(home, undefined);
    if (whom !== 'all') home.users.add(whom);
    home.doubt(whom);
    this.#settleSoon(home);
  }

  /** Doubts what has changed since a reading began that a new socket relies on. */
  #doubtSince(local: LocalUser, { changes }: Reading, taken: ReadonlyMap<StreamName, Seat>): void {
    if (changes.isUnknown) local.isUnsure = true;
    for (const [home, seat] of local.seats) {
      const isNew = seat !== undefined && !taken.has(home.stream);
      if (isNew || changes.mayConcern(home.stream, local.id)) this.#doubt(home, local);
    }
    for (const stream of changes.joinedBy(local.id)) this.#doubt(this.#people.home(stream), local);
  }

  #join(local: LocalUser, home: LocalHome, plan: SeatPlan): Seat {
    home.users.add(local);
    const known = local.seats.get(home);
    if (known === undefined) {
      const seat = new Seat(local.id, plan);
      local.seats.set(home, seat);
      return seat;
    }
    const all = new Set([...known.streams, ...plan.streams]);
    if (all.size !== known.streams.length || all.size !== plan.streams.length) {
      // One of them is newer.
      known.plan = { ...known.plan, streams: [...all] };
      this.#doubt(home, local);
    }
    return known;
  }

  #learn(home: LocalHome, { found }: Reading): void {
    const streams = found.streams.get(home.stream);
    if (streams !== undefined) this.#people.learn(home, streams);
  }

  /** Closes what somebody follows of a home at this place. */
  #evict(local: LocalUser, home: LocalHome): void {
    const seat = local.seats.get(home);
    if (seat === undefined) return;
    for (const socket of local.sockets) {
      for (const stream of seat.streams) this.#options.hub.decide(socket, stream, false);
    }
    seat.plan = { ...seat.plan, streams: [] };
  }

  #settleSoon(home: LocalHome): void {
    if (home.isDoubted && !home.isInWork) void this.#settle(home);
  }

  /** Reads and decides until nothing has changed since. */
  async #settle(home: LocalHome): Promise<void> {
    while (home.isDoubted) {
      const users = home.begin();
      let isDone = false;
      try {
        await this.#decide(home, users);
        isDone = true;
        this.#isFailing = false;
      } catch (err) {
        // Those who are held wait, and the others keep what they have: no control entry has ended it.
        this.#isFailing = true;
        this.#options.log.debug({ err }, 'it is not known who may follow a stream');
      }
      home.end(isDone);
      if (!isDone) break;
    }
    this.#people.clear(home);
  }

  async #decide(home: LocalHome, users: readonly LocalUser[]): Promise<void> {
    const lost: LostStream[] = [];
    const parts = Array.from({ length: Math.ceil(users.length / MOST_AT_ONCE) }, (_, part) =>
      users.slice(part * MOST_AT_ONCE, (part + 1) * MOST_AT_ONCE),
    );
    await Promise.all(
      parts.map(async (part) => {
        const ids = part.map(({ id }) => id);
        const reading = await this.#options.reads.ofHome(home.stream, ids);
        this.#learn(home, reading);
        for (const local of part) {
          const plan = seatFrom(reading, home.stream, local.id);
          const taken = takeSeat(this.#options.hub, { local, home, plan, reading });
          lost.push(...taken.lost);
          if (taken.isStale) home.doubt(local);
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
      for (const plan of seats) {
        const home = this.#people.home(plan.home);
        if (!local.seats.has(home)) this.#doubt(home, local);
      }
    } catch (err) {
      local.isUnsure = true;
      this.#isFailing = true;
      this.#options.log.debug({ err }, 'it is not known which streams a user may follow');
    }
  }
}
