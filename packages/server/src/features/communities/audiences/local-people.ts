import { channelStream, moderatorStream, type Id } from '@hearth/protocol';
import type { AudienceCommunity } from './streams-of.ts';
import type { ConnectedClient } from '../../../gateway-host.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import { LocalCommunity, type LocalUser } from './local-communities.ts';

/** How many users are remembered after they have left. */
const MOST_REMEMBERED = 20_000;

export interface LocalPeopleOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How long users are remembered after their last socket has left. */
  readonly rememberedMs: number;
  /** Called when the first socket of a user has come, or the last one has gone. */
  readonly onPresence?: (local: LocalUser) => void;
}

/** The users who are connected here or were a while ago, and their communities. */
export class LocalPeople {
  readonly #options: LocalPeopleOptions;
  readonly #users = new Map<Id, LocalUser>();
  /** Those without a socket, the first to leave first. */
  readonly #left = new Set<LocalUser>();
  readonly #communities = new Map<Id, LocalCommunity>();
  /** To which community a stream belongs. */
  readonly #homes = new Map<StreamName, LocalCommunity>();

  constructor(options: LocalPeopleOptions) {
    this.#options = options;
  }

  user(id: Id): LocalUser | undefined {
    return this.#users.get(id);
  }

  all(): Iterable<LocalUser> {
    return this.#users.values();
  }

  /** Users who may have communities that are not known here. */
  unsure(): IteratorObject<LocalUser> {
    return this.#users.values().filter(({ isUnsure }) => isUnsure);
  }

  communities(): Iterable<LocalCommunity> {
    return this.#communities.values();
  }

  known(id: Id): LocalCommunity | undefined {
    return this.#communities.get(id);
  }

  /** A community, which is known here from now on. */
  community(id: Id): LocalCommunity {
    const known = this.#communities.get(id);
    if (known !== undefined) return known;
    const community = new LocalCommunity(id);
    this.#communities.set(id, community);
    this.#homes.set(community.stream, community);
    this.#homes.set(moderatorStream(id), community);
    return community;
  }

  /** The community to which a stream belongs, if it is known here. */
  homeOf(stream: StreamName): LocalCommunity | undefined {
    return this.#homes.get(stream);
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

  /** Notes which streams a community has. */
  learn(community: LocalCommunity, { restricted }: Pick<AudienceCommunity, 'restricted'>): void {
    const names = restricted.map(({ id }) => channelStream(id));
    for (const name of community.restricted) this.#homes.delete(name);
    for (const name of names) this.#homes.set(name, community);
    community.restricted = names;
  }

  /** The communities of which users are to be read. */
  doubted(): IteratorObject<LocalCommunity> {
    return this.#communities.values().filter(({ isDoubted }) => isDoubted);
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

  /** Forgets a community that nobody here needs. */
  clear(community: LocalCommunity): void {
    if (community.isUsed || community.isInWork || community.isDoubted) return;
    this.#communities.delete(community.id);
    for (const name of [community.stream, moderatorStream(community.id), ...community.restricted]) {
      this.#homes.delete(name);
    }
  }

  #forget(local: LocalUser): void {
    this.#users.delete(local.id);
    this.#left.delete(local);
    for (const community of local.seats.keys()) {
      community.leave(local);
      this.clear(community);
    }
    local.seats.clear();
  }
}

function newUser(id: Id): LocalUser {
  return { id, sockets: new Set(), seats: new Map(), leftAtMs: 0, isUnsure: false };
}
