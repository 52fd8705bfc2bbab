import { communityStream, type Id } from '@hearth/protocol';
import type { StreamAccess, ConnectedClient, SeatPlan } from '../../../gateway-host.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';

/** What a user follows of one community. Followers of its streams refer to it, so what is learned of the roles counts at once. */
export class Seat implements StreamAccess {
  readonly user: Id;
  roles: readonly Id[];
  /** Every stream of the community that a socket of the user follows, and perhaps more. */
  streams: readonly StreamName[];

  constructor(user: Id, { roles, streams }: Pick<SeatPlan, 'roles' | 'streams'>) {
    this.user = user;
    this.roles = roles;
    this.streams = streams;
  }
}

/** A user who is connected here, or was a while ago. */
export interface LocalUser {
  readonly id: Id;
  readonly sockets: Set<ConnectedClient>;
  /** By community; undefined for one that the user may have joined. */
  readonly seats: Map<LocalCommunity, Seat | undefined>;
  /** When the last socket left, in monotonic milliseconds. */
  leftAtMs: number;
  /** Whether there may be communities that are not known here. */
  isUnsure: boolean;
}

/** Users of a community of whom it is to be found out what they may follow. */
type Doubted = Set<LocalUser> | 'all';

/** A community with members who are connected here, or were a while ago. */
export class LocalCommunity {
  readonly id: Id;
  readonly users = new Set<LocalUser>();
  /** The streams of its channels that are restricted. */
  restricted: readonly StreamName[] = [];
  /** Who is to be read, and who is being read. */
  #doubted: Doubted = new Set();
  #inWork: Doubted = new Set();

  constructor(id: Id) {
    this.id = id;
  }

  get stream(): StreamName {
    return communityStream(this.id);
  }

  get isUsed(): boolean {
    return this.users.size > 0;
  }

  get isDoubted(): boolean {
    return this.#doubted === 'all' || this.#doubted.size > 0;
  }

  get isInWork(): boolean {
    return this.#inWork === 'all' || this.#inWork.size > 0;
  }

  /** Whether it is to be found out what a user may follow. */
  isDoubtful(user: LocalUser): boolean {
    return [this.#doubted, this.#inWork].some((doubted) => doubted === 'all' || doubted.has(user));
  }

  doubt(whom: LocalUser | 'all'): void {
    if (whom === 'all') this.#doubted = 'all';
    else if (this.#doubted !== 'all') this.#doubted.add(whom);
  }

  /** Begins to read those who are doubted, and returns them. */
  begin(): readonly LocalUser[] {
    [this.#inWork, this.#doubted] = [this.#doubted, new Set()];
    return this.#inWork === 'all' ? [...this.users] : [...this.#inWork];
  }

  /** Ends what was begun; if it has failed, they are doubted again. */
  end(isDone: boolean): void {
    if (!isDone) {
      if (this.#inWork === 'all') this.doubt('all');
      else for (const user of this.#inWork) this.doubt(user);
    }
    this.#inWork = new Set();
  }

  /** Whether a user is to be read again. */
  willRead(user: LocalUser): boolean {
    return this.#doubted === 'all' || this.#doubted.has(user);
  }

  leave(user: LocalUser): void {
    this.users.delete(user);
    if (this.#doubted !== 'all') this.#doubted.delete(user);
  }
}
