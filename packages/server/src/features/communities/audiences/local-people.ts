import type { Id } from '@hearth/protocol';
import type { ConnectedClient } from '../../../gateway-host.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import { LocalHome, type LocalUser } from './local-homes.ts';

/** The number of users who are remembered after they have left. */
const MOST_REMEMBERED = 20_000;

export interface LocalPeopleOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The time for which users are remembered after their last socket has left. */
  readonly rememberedMs: number;
  /** Called when the first socket of a user has come, or the last one has gone. */
  readonly onPresence?: (local: LocalUser) => void;
}

/** The users who are connected here or were a while ago, and the homes of the streams that they follow. */
export class LocalPeople {
  readonly #options: LocalPeopleOptions;
  readonly #users = new Map<Id, LocalUser>();
  /** Users without a socket, the first to leave first. */
  readonly #left = new Set<LocalUser>();
  /** By the streams that they have of their own. */
  readonly #homes = new Map<StreamName, LocalHome>();
  /** To which home each other stream belongs. */
  readonly #owners = new Map<StreamName, LocalHome>();

  constructor(options: LocalPeopleOptions) {
    this.#options = options;
  }

  user(id: Id): LocalUser | undefined {
    return this.#users.get(id);
  }

  all(): Iterable<LocalUser> {
    return this.#users.values();
  }

  /** Users who may follow homes that are not known here. */
  unsure(): IteratorObject<LocalUser> {
    return this.#users.values().filter(({ isUnsure }) => isUnsure);
  }

  homes(): Iterable<LocalHome> {
    return this.#homes.values();
  }

  known(stream: StreamName): LocalHome | undefined {
    return this.#homes.get(stream);
  }

  /** A home, which is known here from now on. */
  home(stream: StreamName): LocalHome {
    return this.#homes.getOrInsertComputed(stream, () => new LocalHome(stream));
  }

  /** The home to which a stream belongs, if it is known here. */
  homeOf(stream: StreamName): LocalHome | undefined {
    return this.#homes.get(stream) ?? this.#owners.get(stream);
  }

  enter(id: Id, socket: ConnectedClient): LocalUser {
    const local = this.#users.getOrInsertComputed(id, newUser);
    local.sockets.add(socket);
    this.#left.delete(local);
    if (local.sockets.size === 1) this.#options.onPresence?.(local);
    return local;
  }

  leave(socket: ConnectedClient, id: Id): void {
    const local = this.#users.get(id);
    if (local?.sockets.delete(socket) !== true || local.sockets.size > 0) return;
    local.leftAtMs = this.#options.clock.monotonicMs();
    this.#left.add(local);
    this.#options.onPresence?.(local);
  }

  /** Notes which other streams a home has. */
  learn(home: LocalHome, others: readonly StreamName[]): void {
    for (const name of home.others) this.#owners.delete(name);
    for (const name of others) this.#owners.set(name, home);
    home.others = others;
  }

  /** The homes of which users are to be read. */
  doubted(): IteratorObject<LocalHome> {
    return this.#homes.values().filter(({ isDoubted }) => isDoubted);
  }

  /** Forgets users who left a while ago. */
  forgetLate(): void {
    const { clock, rememberedMs } = this.#options;
    const late = clock.monotonicMs() - rememberedMs;
    for (const local of this.#left) {
      if (local.leftAtMs > late && this.#left.size <= MOST_REMEMBERED) break;
      this.#forget(local);
    }
  }

  /** Forgets a home that nobody here needs. */
  clear(home: LocalHome): void {
    if (home.isUsed || home.isInWork || home.isDoubted) return;
    this.#homes.delete(home.stream);
    for (const name of home.others) this.#owners.delete(name);
  }

  #forget(local: LocalUser): void {
    this.#users.delete(local.id);
    this.#left.delete(local);
    for (const home of local.seats.keys()) {
      home.leave(local);
      this.clear(home);
    }
    local.seats.clear();
  }
}

function newUser(id: Id): LocalUser {
  return { id, sockets: new Set(), seats: new Map(), leftAtMs: 0, isUnsure: false };
}
