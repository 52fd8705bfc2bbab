import { ACCOUNT_PROFILE, DOCUMENTED_PROFILE, LOBBY_PROFILE, LOBBY_STREAM } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import type { GatewayFeatures } from '../../gateway-host.ts';
import type {
  AccessEnd,
  BusEvent,
  BusStart,
  Delivery,
  EventDelivery,
  ReplayBounds,
  StreamName,
  StreamPosition,
} from '../../ports/bus/bus.ts';
import { CatchUp } from './catch-up.ts';
import type { Connection, ConnectionSocket } from './connection.ts';
import { documentedText, helloText, profileText, streamText, streamTextOf } from './event-texts.ts';
import { Hub } from './hub.ts';
import { LiveStreams, type LiveStream } from './live-streams.ts';
import {
  afterRemoval,
  afterReplacing,
  removedBy,
  replacedBy,
  type Thing,
} from './replayed-event.ts';
import { Replay, type Keeping } from './replay-buffer.ts';
import type { Publisher } from './socket-servers.ts';
import { Since } from './since.ts';
import { Sweeps } from './sweeps.ts';

/** The topics of the clients that are sent the lobby without asking, by profile. */
const TOPICS = { documented: 'documented', profile: 'profile-1' } as const;

/** The position of clients that are sent no stream. Nobody can resume there. */
const NOWHERE: StreamPosition = { epoch: '', position: 0 };

export interface StreamsOptions {
  readonly servers: Publisher;
  readonly clock: Clock;
  readonly bounds: ReplayBounds;
  readonly start: BusStart;
  /** True if everyone may read the lobby. */
  readonly isLobbyOpen: boolean;
  readonly audienceTest: GatewayFeatures['audienceTest'];
  /** Bytes that may wait for a socket that is catching up, before it has to read. */
  readonly pauseAboveBytes: number;
  /** Bytes that may wait for all sockets together that are catching up. */
  readonly pauseAllAboveBytes: number;
  /** Bytes that all streams together may publish before the sockets' buffers have to be checked. */
  readonly sweepAfterBytes: number;
  /** Closes all clients that know positions, because the next event does not follow what they have. */
  readonly onBreak: () => void;
  /** Closes a client that has missed events which are no longer kept. */
  readonly giveUp: (socket: ConnectionSocket) => void;
}

/**
 * The streams as they are sent to clients, each in one order. Clients of the documented gateway are sent the lobby, those
 * of profile 1 the lobby with its positions, and followers by name every stream that they follow (see {@link Hub}).
 */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #replay: Replay;
  readonly #streams: LiveStreams;
  readonly #lobby: LiveStream;
  readonly #catchUp: CatchUp<LiveStream>;
  readonly #sweeps: Sweeps;
  readonly #sinces = new Set<Since>();
  readonly hub: Hub;

  constructor(options: StreamsOptions) {
    const { bounds, clock, start, pauseAboveBytes, pauseAllAboveBytes, giveUp } = options;
    this.#options = options;
    this.#replay = new Replay(bounds, clock);
    this.#streams = new LiveStreams(this.#replay, start.heads);
    this.#lobby = this.#streams.open(LOBBY_STREAM);
    this.#sweeps = new Sweeps(options.sweepAfterBytes);
    this.#catchUp = new CatchUp({
      clock,
      pauseAboveBytes,
      pauseAllAboveBytes,
      textFor: (socket, live, text) => this.#textFor(socket, live, text),
      follow: (socket, live) => this.#subscribe(socket, live),
      finish: (socket, live) => this.hub.finish(socket, live),
      giveUp,
      nextTurn: (run) => setImmediate(run),
    });
    this.hub = new Hub({
      streams: this.#streams,
      catchUp: this.#catchUp,
      audienceTest: options.audienceTest,
    });
    this.#fill(start);
  }

  /** True if the followers' buffers have to be checked before more is sent. */
  get isSweepDue(): boolean {
    return this.#sweeps.isDue;
  }

  /** The most that a socket following all streams was sent since the last sweep. */
  get bytesSinceSweep(): number {
    return this.#sweeps.bytes;
  }

  /** Disconnects all clients that know positions, and continues from the streams' present positions. */
  begin(start: BusStart): void {
    this.#options.onBreak();
    for (const since of this.#sinces) since.break();
    this.#streams.begin(start);
    this.#fill(start);
  }

  /** Returns whether a client of profile 1 has seen more of the lobby than has arrived here. */
  isBehind({ profile }: Pick<Connection, 'profile'>): boolean {
    if (profile.version !== LOBBY_PROFILE || typeof profile.resume !== 'object') return false;
    return this.isBefore(LOBBY_STREAM, profile.resume);
  }

  /** Returns whether less of a stream has arrived here than up to this point of it. */
  isBefore(stream: StreamName, { epoch, position }: StreamPosition): boolean {
    const head = this.#streams.headOf(stream);
    return epoch === head.epoch && position > head.position;
  }

  /** The position up to which clients were sent a stream. */
  headOf(stream: StreamName): StreamPosition {
    return this.#streams.headOf(stream);
  }

  /** Returns whether clients can be sent everything after this point of a stream. */
  hasAllAfter(stream: StreamName, at: StreamPosition): boolean {
    return this.#streams.hasAllAfter(stream, at);
  }

  /** Notes what happens in all streams from now on. */
  since(): Since {
    const since: Since = new Since(
      (stream) => this.headOf(stream),
      () => this.#sinces.delete(since),
    );
    this.#sinces.add(since);
    return since;
  }

  /** Sends the next event to all followers. */
  send(delivery: Delivery): void {
    if ('end' in delivery) {
      this.#hide(hiddenBy(delivery.end));
      for (const since of this.#sinces) since.end(delivery.stream, delivery.end);
      return this.hub.end(delivery);
    }
    for (const since of this.#sinces) since.note(delivery.stream, this.headOf(delivery.stream));
    const live = this.#streams.take(delivery);
    if (!live.buffer.isNext(delivery)) this.#break(live, delivery);
    const isLobby = live === this.#lobby;
    const text = textOf(delivery);
    const bytes = Buffer.byteLength(text);
    this.#keep(live, delivery, { text, bytes });
    if (live.followers.size === 0) return;
    this.#sweeps.count(live, bytes);
    const { servers } = this.#options;
    if (isLobby) this.#publishLobby(delivery, text);
    if (live.named === 0) return;
    this.hub.publish(servers, live, isLobby ? streamTextOf(LOBBY_STREAM, text) : text);
  }

  /** Checks the sockets that follow a stream which has published since the last time. */
  sweep(look: (socket: ConnectionSocket) => void): void {
    for (const { followers } of this.#sweeps.take()) {
      for (const socket of followers.keys()) look(socket);
    }
  }

  /** Lets a new client of the documented gateway or profile 1 follow the lobby from now on, or from where it was. */
  follow(socket: ConnectionSocket): void {
    const { profile } = socket.data;
    if (profile.version === ACCOUNT_PROFILE) return;
    const { buffer, followers } = this.#lobby;
    // Nobody is known on these profiles, so a lobby that is not open to everyone is closed to them.
    if (!this.#options.isLobbyOpen) return this.greet(socket);
    followers.set(socket, undefined);
    if (profile.version === DOCUMENTED_PROFILE) return this.#subscribe(socket, this.#lobby);
    const { resume } = profile;
    if (resume === undefined || resume === 'unknown' || !buffer.hasAllAfter(resume)) {
      this.greet(socket);
      return this.#subscribe(socket, this.#lobby);
    }
    socket.send(helloText(resume, true));
    this.#catchUp.begin(socket, this.#lobby, resume.position);
  }

  /** Sends a client of profile 1 the lobby's position, and that the stream does not continue from the client's own. */
  greet(socket: ConnectionSocket): void {
    const { profile } = socket.data;
    if (profile.version !== LOBBY_PROFILE) return;
    const head = this.#options.isLobbyOpen ? this.#lobby.buffer.head : NOWHERE;
    socket.send(helloText(head, profile.resume === undefined ? null : false));
  }

  /** Continues with a client that has read. */
  resume(socket: ConnectionSocket): void {
    this.#catchUp.resume(socket);
  }

  /** Sends a client nothing more. */
  leave(socket: ConnectionSocket): void {
    const { version } = socket.data.profile;
    socket.unsubscribe(version === DOCUMENTED_PROFILE ? TOPICS.documented : TOPICS.profile);
    this.forget(socket);
  }

  /** Removes a client whose connection has ended. */
  forget(socket: ConnectionSocket): void {
    this.#lobby.followers.delete(socket);
    this.hub.leave(socket);
    this.#catchUp.end(socket);
  }

  /** Discards events that are too old, and closes clients that still needed them. */
  trim(): void {
    this.#replay.trim();
    this.#catchUp.giveUpLate();
    this.#streams.clear(this.#lobby);
  }

  #publishLobby({ event }: EventDelivery, text: string): void {
    const { servers } = this.#options;
    if (servers.hasSubscribers(TOPICS.documented)) {
      const documented = documentedText(event);
      if (documented !== undefined) servers.publish(TOPICS.documented, documented);
    }
    if (servers.hasSubscribers(TOPICS.profile)) servers.publish(TOPICS.profile, text);
  }

  #break(live: LiveStream, { epoch, position }: EventDelivery): void {
    if (live === this.#lobby) this.#options.onBreak();
    this.hub.reopen(live, { epoch, position: position - 1 });
  }

  #subscribe(socket: ConnectionSocket, live: LiveStream): void {
    if (live.followers.get(socket) !== undefined) return this.hub.follow(socket, live);
    const { version } = socket.data.profile;
    socket.subscribe(version === DOCUMENTED_PROFILE ? TOPICS.documented : TOPICS.profile);
  }

  #textFor(socket: ConnectionSocket, live: LiveStream, text: string): string {
    const isNamed = live === this.#lobby && live.followers.get(socket) !== undefined;
    return isNamed ? streamTextOf(LOBBY_STREAM, text) : text;
  }

  #fill({ kept }: BusStart): void {
    const { events } = this.#options.bounds;
    const newest = events === 0 ? [] : kept.slice(-events);
    for (const { delivery, ageMs } of newest) {
      if ('end' in delivery) {
        this.#hide(hiddenBy(delivery.end));
        continue;
      }
      const { stream, epoch, position } = delivery;
      const live = this.#streams.open(stream, { epoch, position: position - 1 });
      const text = textOf(delivery);
      this.#keep(live, delivery, { text, bytes: Buffer.byteLength(text), ageMs });
    }
  }

  /** Keeps an event for clients that come back. */
  #keep(live: LiveStream, delivery: EventDelivery, keeping: Omit<Keeping, 'event'>): void {
    const { event } = delivery;
    this.#hide(event.note?.hides);
    const [removed, replaced] = [removedBy(event), replacedBy(event)];
    if (removed.length + replaced.length > 0) this.#rewrite(live, delivery, { removed, replaced });
    live.buffer.push(delivery, { event, ...keeping });
  }

  /** Sends clients that come back a removal in place of what it removes, and what an event replaces as it is now. */
  #rewrite(
    { buffer }: LiveStream,
    delivery: EventDelivery,
    {
      removed,
      replaced,
    }: { readonly removed: readonly Thing[]; readonly replaced: readonly Thing[] },
  ): void {
    const { event: by } = delivery;
    const encode = (event: BusEvent, position: number) => textOf({ ...delivery, position, event });
    for (const thing of removed) {
      this.#replay.forgetNaming(thing.id);
      buffer.rewrite((kept) => afterRemoval(kept, thing, by), encode);
    }
    for (const thing of replaced) {
      buffer.rewrite((kept) => afterReplacing(kept, thing, by), encode);
    }
  }

  #hide(names: readonly string[] = []): void {
    for (const name of names) this.#replay.forgetNaming(name);
  }
}

function hiddenBy(end: AccessEnd): readonly string[] | undefined {
  return 'unless' in end ? end.hides : undefined;
}

/** An event as clients that know positions are sent it. */
function textOf(delivery: EventDelivery): string {
  return delivery.stream === LOBBY_STREAM ? profileText(delivery) : streamText(delivery);
}
