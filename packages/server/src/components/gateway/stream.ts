import { DOCUMENTED_PROFILE } from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { ReplayBounds } from '../../config/config.ts';
import type { Delivery, StreamStart } from '../../ports/bus/bus.ts';
import type { SocketServer } from '../../runtime/socket-server.ts';
import { CatchUp } from './catch-up.ts';
import type { Connection, ConnectionSocket } from './connection.ts';
import { documentedText, helloText, profileText } from './event-texts.ts';
import { ReplayBuffer } from './replay-buffer.ts';

/** The topics of what everyone is sent, by profile. */
const TOPICS = { documented: 'documented', profile: 'profile-1' } as const;

/** What the stream is sent with. */
export interface StreamOptions {
  /** Undefined until there is one. */
  readonly server: () => Pick<SocketServer, 'publish' | 'hasSubscribers'> | undefined;
  readonly clock: Clock;
  readonly bounds: ReplayBounds;
  readonly start: StreamStart;
  /** What waits for a socket that is behind when it is sent no more before it has read, in bytes. */
  readonly pauseAboveBytes: number;
  /** Closes all clients of profile 1: what comes next does not follow what they have. */
  readonly onBreak: () => void;
  /** Closes a client that fell behind what is kept. */
  readonly giveUp: (socket: ConnectionSocket) => void;
}

/**
 * The events as clients are sent them, in one order: those of the documented gateway, and those of profile 1 with
 * their positions, who may go on where they were.
 */
export class Stream {
  readonly #options: StreamOptions;
  readonly #replay: ReplayBuffer;
  readonly #catchUp: CatchUp;

  constructor(options: StreamOptions) {
    this.#options = options;
    const replay = new ReplayBuffer(options.bounds, options.clock, options.start.at);
    this.#replay = replay;
    this.#fill(options.start);
    this.#catchUp = new CatchUp({
      replay,
      clock: options.clock,
      pauseAboveBytes: options.pauseAboveBytes,
      follow: (socket) => socket.subscribe(TOPICS.profile),
      giveUp: options.giveUp,
      nextTurn: (run) => setImmediate(run),
    });
  }

  /** Sends away all who know positions, and goes on from where the stream is now. */
  begin(start: StreamStart): void {
    this.#options.onBreak();
    this.#fill(start);
  }

  /** Whether a client has seen more of this stream than has come here. */
  isBehind({ profile }: Pick<Connection, 'profile'>): boolean {
    if (profile.version === DOCUMENTED_PROFILE || typeof profile.resume !== 'object') return false;
    const { epoch, position } = this.#replay.head;
    return profile.resume.epoch === epoch && profile.resume.position > position;
  }

  /** Sends the next event to all who follow, and tells how many bytes one of them was sent at most. */
  send(delivery: Delivery): number {
    if (!this.#replay.isNext(delivery)) this.#options.onBreak();
    const text = profileText(delivery);
    const bytes = Buffer.byteLength(text);
    this.#replay.push(delivery, text, bytes);
    const server = this.#options.server();
    if (server === undefined) return bytes;
    if (server.hasSubscribers(TOPICS.documented)) {
      server.publish(TOPICS.documented, documentedText(delivery.event));
    }
    if (server.hasSubscribers(TOPICS.profile)) server.publish(TOPICS.profile, text);
    return bytes;
  }

  /** Lets a new client follow from now on, or from where it was. */
  follow(socket: ConnectionSocket): void {
    const { profile } = socket.data;
    if (profile.version === DOCUMENTED_PROFILE) return void socket.subscribe(TOPICS.documented);
    const { resume } = profile;
    if (resume === undefined || resume === 'unknown' || !this.#replay.hasAllAfter(resume)) {
      this.greet(socket);
      socket.subscribe(TOPICS.profile);
      return;
    }
    socket.send(helloText(resume, true));
    this.#catchUp.begin(socket, resume.position);
  }

  /** Tells a client of profile 1 where the stream is, and that it does not go on where the client was. */
  greet(socket: ConnectionSocket): void {
    const { profile } = socket.data;
    if (profile.version === DOCUMENTED_PROFILE) return;
    socket.send(helloText(this.#replay.head, profile.resume === undefined ? null : false));
  }

  /** Goes on with a client that has read. */
  resume(socket: ConnectionSocket): void {
    this.#catchUp.resume(socket);
  }

  /** Sends a client nothing more. */
  leave(socket: ConnectionSocket): void {
    const { version } = socket.data.profile;
    socket.unsubscribe(version === DOCUMENTED_PROFILE ? TOPICS.documented : TOPICS.profile);
    this.#catchUp.end(socket);
  }

  /** Ends with a client whose connection is gone. */
  forget(socket: ConnectionSocket): void {
    this.#catchUp.end(socket);
  }

  /** Forgets what is too old, and gives up who would have needed it. */
  trim(): void {
    this.#replay.trim();
    this.#catchUp.giveUpLate();
  }

  #fill({ at, kept }: StreamStart): void {
    const { bounds, clock } = this.#options;
    const now = clock.unixMs();
    const newest = bounds.events === 0 ? [] : kept.slice(-bounds.events);
    const earlier = newest.map((delivery) => {
      const text = profileText(delivery);
      return {
        text,
        bytes: Buffer.byteLength(text),
        ageMs: now - delivery.event.d.created_at,
      };
    });
    this.#replay.begin(at, earlier);
  }
}
