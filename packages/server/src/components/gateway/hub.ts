import { LOBBY_STREAM } from '@hearth/protocol';
import type { Followers, GatewayFeatures, Opening, StreamAccess } from '../../gateway-host.ts';
import type {
  AccessEnd,
  EndPublication,
  EventDelivery,
  StreamName,
  StreamPosition,
} from '../../ports/bus/bus.ts';
import type { CatchUp } from './catch-up.ts';
import type { ConnectionSocket } from './connection.ts';
import { streamCloseText, streamOpenText } from './event-texts.ts';
import type { Pace } from './fan-out.ts';
import type { LiveStream, LiveStreams } from './live-streams.ts';
import type { Publisher } from './socket-servers.ts';

/** From how many followers on the events of a stream are gathered. */
const MANY_FOLLOWERS = 64;

export interface HubOptions {
  readonly streams: LiveStreams;
  readonly catchUp: CatchUp<LiveStream>;
  readonly audienceTest: GatewayFeatures['audienceTest'];
}

/**
 * Which sockets follow which streams by name. A stream's events come between STREAM_OPEN, which says where they begin,
 * and STREAM_CLOSE, after which there are none.
 */
export class Hub implements Followers {
  readonly #options: HubOptions;
  /** The streams that each socket follows. */
  readonly #followed = new Map<ConnectionSocket, Set<LiveStream>>();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /**
   * Lets a socket follow a stream: from after `from` if the stream can be continued there, otherwise from now on.
   * Returns whether it is continued. Does nothing if the socket already follows the stream or is being closed. The
   * caller reads the access once more afterwards, and closes the stream if the access has ended: a control entry that
   * passed between the first reading and this call did not find the socket.
   */
  open(socket: ConnectionSocket, { stream, access, from, isListed = false }: Opening): boolean {
    const { streams, catchUp } = this.#options;
    if (socket.data.status.state !== 'open') return false;
    const live = streams.open(stream);
    // Sockets that are held are decided on with `decide`.
    if (catchUp.isHeld(socket, live)) return false;
    if (live.followers.has(socket) && !catchUp.finishNow(socket, live)) return false;
    const isContinued = from !== undefined && live.buffer.hasAllAfter(from);
    const at = isContinued ? from : live.buffer.head;
    live.followers.set(socket, access);
    live.named += 1;
    this.#followed.getOrInsertComputed(socket, () => new Set()).add(live);
    if (!isListed) socket.send(streamOpenText(stream, at));
    catchUp.begin(socket, live, at.position);
    return isContinued;
  }

  /** Ends following at this point: everything before it is sent first, and nothing after it. */
  close(socket: ConnectionSocket, stream: StreamName): void {
    const live = this.#options.streams.get(stream);
    if (live?.followers.get(socket) !== undefined) this.#end(socket, live);
  }

  /**
   * Ends the access of the sockets that a control entry names, at its position. If it names them by an audience, the others
   * are held there: whether they are in it is decided by what this process knows of their roles, which may be outdated.
   */
  end({ stream, end }: EndPublication): void {
    const live = this.#options.streams.get(stream);
    if (live === undefined) return;
    const isNamed = this.#namedBy(end);
    for (const [socket, access] of live.followers) {
      if (access === undefined) continue;
      if (isNamed(access)) this.#end(socket, live);
      else if ('unless' in end) this.#hold(socket, live);
    }
  }

  /** Returns whether a socket follows a stream, or is held there, and its access has not ended. */
  follows(socket: ConnectionSocket, stream: StreamName): boolean {
    const { streams, catchUp } = this.#options;
    const live = streams.get(stream);
    return live?.followers.get(socket) !== undefined && !catchUp.isEnding(socket, live);
  }

  /** Decides whether a socket that follows a stream, or is held there, may go on; if not, it is closed where it is held. */
  decide(socket: ConnectionSocket, stream: StreamName, mayFollow: boolean): void {
    const { streams, catchUp } = this.#options;
    const live = streams.get(stream);
    if (live?.followers.get(socket) === undefined) return;
    if (!catchUp.isHeld(socket, live)) {
      if (!mayFollow) this.#end(socket, live);
    } else if (!mayFollow) catchUp.deny(socket, live);
    else if (!catchUp.release(socket, live)) {
      socket.send(streamOpenText(stream, live.buffer.head));
      this.follow(socket, live);
    }
  }

  /** Returns whether it is still to be decided if a socket may go on with a stream. */
  isHeld(socket: ConnectionSocket, stream: StreamName): boolean {
    const live = this.#options.streams.get(stream);
    return live !== undefined && this.#options.catchUp.isHeld(socket, live);
  }

  /** Lets a socket that has caught up with the stream follow what is published. */
  follow(socket: ConnectionSocket, live: LiveStream): void {
    socket.subscribe(topicOf(live));
  }

  /** Sends followers the new position of a stream that continues elsewhere, before its next event is published. */
  reopen(live: LiveStream, at: StreamPosition): void {
    const { catchUp } = this.#options;
    for (const [socket, access] of live.followers) {
      if (access === undefined || catchUp.strand(socket, live)) continue;
      if (catchUp.finishNow(socket, live)) continue;
      // Sockets that were given up follow no longer.
      if (!live.followers.has(socket)) continue;
      if (catchUp.skip(socket, live)) this.follow(socket, live);
      socket.send(streamOpenText(live.name, at));
    }
  }

  /**
   * Returns the pace at which an event is sent. What has waited for a commit may wait for those that follow, if many
   * sockets would be written to for each. Messages of the lobby wait for nothing.
   */
  paceOf({ stream }: Pick<EventDelivery, 'stream'>): Pace {
    if (stream === LOBBY_STREAM) return 'next turn';
    return (this.#options.streams.get(stream)?.named ?? 0) < MANY_FOLLOWERS ? 'any' : 'gathered';
  }

  /** Publishes an event to the followers of its stream. */
  publish(servers: Pick<Publisher, 'publish'>, live: LiveStream, text: string): void {
    servers.publish(topicOf(live), text);
  }

  /** Removes a socket that was sent everything it may have of a stream. */
  finish(socket: ConnectionSocket, live: LiveStream): void {
    this.#remove(socket, live);
    this.#followed.get(socket)?.delete(live);
    socket.send(streamCloseText(live.name));
  }

  /** Removes a socket, which is sent nothing more. */
  leave(socket: ConnectionSocket): void {
    for (const live of this.#followed.get(socket) ?? []) {
      this.#remove(socket, live);
      socket.unsubscribe(topicOf(live));
    }
    this.#followed.delete(socket);
  }

  /** Whose access ends. Made once for all followers. */
  #namedBy(end: AccessEnd): (access: StreamAccess) => boolean {
    if ('user' in end) return ({ user }) => user === end.user;
    if ('role' in end) return ({ roles }) => roles.includes(end.role);
    if ('everyone' in end) return () => true;
    const isInAudience = this.#options.audienceTest(end.unless);
    return (access) => !isInAudience(access);
  }

  #remove(socket: ConnectionSocket, live: LiveStream): void {
    if (live.followers.delete(socket)) live.named -= 1;
  }

  #hold(socket: ConnectionSocket, live: LiveStream): void {
    socket.unsubscribe(topicOf(live));
    this.#options.catchUp.hold(socket, live);
  }

  #end(socket: ConnectionSocket, live: LiveStream): void {
    if (this.#options.catchUp.endAfterNewest(socket, live)) return;
    socket.unsubscribe(topicOf(live));
    this.finish(socket, live);
  }
}

/** The runtime's topic for the sockets that are sent a stream's events. */
function topicOf({ name }: LiveStream): string {
  return `2 ${name}`;
}
