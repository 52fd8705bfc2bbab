import { communityStream, type Id } from '@hearth/protocol';
import type {
  StreamAccess,
  ConnectedClient,
  Followers,
  GatewayPart,
  StreamsSince,
} from '../../../gateway-host.ts';
import type { Logger } from '../../../log/logger.ts';
import type { EndPublication, StreamName } from '../../../ports/bus/bus.ts';
import type { Database } from '../../../ports/database/database.ts';
import type { AudienceReads, Audiences } from '../audiences/audiences.ts';

export interface VisitsOptions {
  readonly database: Pick<Database, 'onChange'>;
  readonly log: Logger;
  readonly reads: Pick<AudienceReads, 'ofHome'>;
  readonly audiences: Pick<Audiences, 'isMember'>;
  readonly hub: Pick<Followers, 'open' | 'decide' | 'follows'>;
  /** True if people without an account may read what is public. */
  readonly mayGuestsRead: boolean;
}

/** A public community that is followed without being a member. */
interface Visited {
  readonly id: Id;
  readonly visitors: Map<ConnectedClient, StreamAccess>;
  isDoubted: boolean;
  reading: Promise<void> | undefined;
}

/** A decision whether a client may visit a community, as it was read. */
interface Decision {
  readonly access: StreamAccess;
  readonly isSeen: boolean;
  readonly id: Id;
  readonly since: StreamsSince;
}

/**
 * Lets clients follow public communities of which their users are not members, as long as they watch them. The same
 * holds as for members: what ends is closed at its place, and what was read is used only if nothing has ended since.
 */
export class Visits implements GatewayPart {
  readonly #options: VisitsOptions;
  readonly #visited = new Map<Id, Visited>();
  readonly #stopHearing: () => void;

  constructor(options: VisitsOptions) {
    this.#options = options;
    this.#stopHearing = options.database.onChange((changes) => {
      if (changes === 'unknown') for (const each of this.#visited.values()) void this.#doubt(each);
      // Guarantee: only ids are reported.
      else for (const { kind, id } of changes) if (kind === 'communities') this.#changed(id as Id);
    });
  }

  /** Lets a client follow a community from now on. Resolves with whether its user may. */
  async begin(socket: ConnectedClient, user: Id | undefined, id: Id): Promise<boolean> {
    if (user === undefined && !this.#options.mayGuestsRead) return false;
    const visited = this.#visited.getOrInsertComputed(id, newVisited);
    if (!visited.visitors.has(socket)) visited.visitors.set(socket, { user, roles: [] });
    await this.#doubt(visited);
    return this.#options.hub.follows(socket, communityStream(id));
  }

  /** Ends a visit. Members keep the stream. */
  end(socket: ConnectedClient, id: Id): void {
    const visited = this.#visited.get(id);
    const access = visited?.visitors.get(socket);
    if (visited === undefined || access === undefined) return;
    this.drop(socket, id);
    if (!this.#isMember(access, id)) this.#options.hub.decide(socket, communityStream(id), false);
  }

  /** Ends the visit of a socket that is closed. */
  drop(socket: ConnectedClient, id: Id): void {
    const visited = this.#visited.get(id);
    visited?.visitors.delete(socket);
    if (visited?.visitors.size === 0) this.#visited.delete(id);
  }

  /** Handles what has reached the sockets: after a control entry, it is read again who may follow the community. */
  takeEnd({ stream }: EndPublication): void {
    if (!stream.startsWith('c:')) return;
    // Guarantee: it is the name of a stream of a community.
    this.#changed(stream.slice(2) as Id);
  }

  /** To be called often: tries again what has failed. */
  tick(): void {
    for (const visited of this.#visited.values()) {
      if (visited.isDoubted && visited.reading === undefined) void this.#doubt(visited);
    }
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  #changed(id: Id): void {
    const visited = this.#visited.get(id);
    if (visited !== undefined) void this.#doubt(visited);
  }

  #isMember({ user }: StreamAccess, id: Id): boolean {
    return user !== undefined && this.#options.audiences.isMember(user, id);
  }

  /** Reads a community until nothing has changed since. */
  #doubt(visited: Visited): Promise<void> {
    visited.isDoubted = true;
    return (visited.reading ??= this.#settle(visited));
  }

  async #settle(visited: Visited): Promise<void> {
    const stream = communityStream(visited.id);
    try {
      while (visited.isDoubted) {
        visited.isDoubted = false;
        const { found, since } = await this.#options.reads.ofHome(stream, []);
        const isSeen = found.open.has(stream);
        for (const [socket, access] of visited.visitors) {
          if (since.mayHaveEnded([stream], access.user)) visited.isDoubted = true;
          else this.#decide(socket, stream, { access, isSeen, id: visited.id, since });
        }
      }
    } catch (err) {
      visited.isDoubted = true;
      this.#options.log.debug({ err }, 'it is not known who may visit a community');
    }
    visited.reading = undefined;
  }

  #decide(
    socket: ConnectedClient,
    stream: StreamName,
    { access, isSeen, id, since }: Decision,
  ): void {
    const { hub } = this.#options;
    // Members are decided on as such.
    if (this.#isMember(access, id)) return;
    if (hub.follows(socket, stream)) hub.decide(socket, stream, isSeen);
    else if (isSeen) hub.open(socket, { stream, access, from: since.placeOf(stream) });
  }
}

function newVisited(id: Id): Visited {
  return { id, visitors: new Map(), isDoubted: false, reading: undefined };
}
