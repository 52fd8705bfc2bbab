import type { Id } from '@hearth/protocol';
import type { StreamAccess, ConnectedClient, SeatPlan } from '../../../gateway-host.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';

/**
 * The streams that a user follows of one home. Followers of its streams refer to it, so what is learned of the roles
 * counts at once.
 */
export class Seat implements StreamAccess {
  readonly user: Id;
  /** Its streams are all that a socket of the user follows, and perhaps more. */
  plan: SeatPlan;

  constructor(user: Id, plan: SeatPlan) {
    this.user = user;
    this.plan = plan;
  }

  get roles(): readonly Id[] {
    return this.plan.roles;
  }

  get streams(): readonly StreamName[] {
    return this.plan.streams;
  }
}

/** A user who is connected here, or was a while ago. */
export interface LocalUser {
  readonly id: Id;
  readonly sockets: Set<ConnectedClient>;
  /** By home; undefined for one that the user may have joined. */
  readonly seats: Map<LocalHome, Seat | undefined>;
  /** When the last socket left, in monotonic milliseconds. */
  leftAtMs: number;
  /** True if they may follow homes that are not known here. */
  isUnsure: boolean;
}

/** Users of a home of whom it is to be found out what they may follow. */
type Doubted = Set<LocalUser> | 'all';

/** A home with people who are connected here, or were a while ago. */
export class LocalHome {
  /** The id of what it is, such as a community. */
  readonly id: Id;
  /** The stream that it has of its own. */
  readonly stream: StreamName;
  readonly users = new Set<LocalUser>();
  /** Its other streams. */
  others: readonly StreamName[] = [];
  /** Users who are to be read, and those who are being read. */
  #doubted: Doubted = new Set();
  #inWork: Doubted = new Set();

  constructor(stream: StreamName) {
    this.stream = stream;
    // Guarantee: the name of a home ends with its id.
    this.id = stream.slice(stream.indexOf(':') + 1) as Id;
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

  /** Returns whether it is to be found out what a user may follow. */
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

  /** Returns whether a user is to be read again. */
  willRead(user: LocalUser): boolean {
    return this.#doubted === 'all' || this.#doubted.has(user);
  }

  leave(user: LocalUser): void {
    this.users.delete(user);
    if (this.#doubted !== 'all') this.#doubted.delete(user);
  }
}
