import {
  CLOSE_CODE,
  CLOSE_REASONS,
  DISCONNECT_REASONS,
  DOCUMENTED_PROFILE,
  HEARTBEAT_TIMEOUT_MS,
  type DisconnectReason,
} from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { SocketLimits } from '../../runtime/descriptor-limit.ts';
import type { ConnectionSocket } from './connection.ts';
import { SLOT_MS, TimingWheel } from './timing-wheel.ts';

/** How often connections are looked at. */
const TICK_MS = SLOT_MS;

/** A tick this late was a halt of the whole process: what clients sent meanwhile must be read before they are judged. */
const HALT_MS = 3_000;

/** How long a slow reader that is to be closed may take for what is buffered. */
const LAST_READ_MS = 30_000;

/** The same for one that is dead: it is gone in the time that is promised, whatever it was sent last. */
const DEAD_READ_MS = 500;

/** How long the runtime keeps a descriptor at most for a peer that does not answer the close frame. */
const LINGER_MS = 5_000;

/** The part of the bound on all waiting data that is published before a look, even if as much waits already. */
const LEAST_ROOM = 1 / 32;

/** How much memory a waiting byte takes: the runtime's buffers double as they grow, and what they leave stays free for a while. */
const MEMORY_PER_BYTE = 2;

/** What the connections are kept with. */
export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly limits: SocketLimits;
  /** Bytes that may wait for one socket. */
  readonly sendBufferBytes: number;
  /** The memory that what waits for all sockets together may take, in bytes. */
  readonly sendBufferTotalBytes: number;
  /** Told of every connection that is closed for a reason of its own, and not because all are. */
  readonly onRefusal: (reason: DisconnectReason, client: string) => void;
  /** Called about twice a second. */
  readonly onTick: () => void;
  /** Ends what the socket is sent by itself. */
  readonly onLeave: (socket: ConnectionSocket) => void;
  /** Sends the last payload before the close frame. */
  readonly onClose: (socket: ConnectionSocket, reason: DisconnectReason) => void;
}

/** Who is connected, and how each connection ends (Events rules 2 and 3). */
export class Connections {
  readonly #options: ConnectionsOptions;
  /** Bytes that may wait for all sockets together. */
  readonly #mostWaitingBytes: number;
  /** All that were let in and still hold a descriptor, and all that were refused and still do. */
  readonly #admitted = new Set<ConnectionSocket>();
  readonly #refused = new Set<ConnectionSocket>();
  readonly #wheel: TimingWheel<ConnectionSocket>;
  readonly #stopTicking: () => void;
  #lastTickAt: number;
  #wasHalted = false;
  #isEnding = false;
  /** What waits for all sockets together, as of the last look at each. */
  #waitingBytes = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#mostWaitingBytes = options.sendBufferTotalBytes / MEMORY_PER_BYTE;
    this.#lastTickAt = options.clock.monotonicMs();
    this.#wheel = new TimingWheel(this.#lastTickAt, (socket) => this.#onDue(socket));
    this.#stopTicking = options.clock.every(TICK_MS, () => this.#tick());
  }

  /** Whether all were sent away, and whoever comes is refused. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Whether no more can be let in. */
  get isFull(): boolean {
    const { admitted, refused } = this.#options.limits;
    const held = this.#admitted.size + this.#refused.size;
    return this.#isEnding || this.#admitted.size >= admitted || held >= admitted + refused;
  }

  /** Whether no more can even be let in to be refused: those may take half of the free places, beside their own. */
  get isCrowded(): boolean {
    const { admitted, refused } = this.#options.limits;
    return this.#refused.size >= refused + (admitted - this.#admitted.size) / 2;
  }

  /** Begins with a socket that has just opened. */
  add(socket: ConnectionSocket): void {
    const { status, lastPingAt } = socket.data;
    if (status.state === 'refused') {
      this.#refused.add(socket);
      this.#options.onRefusal(status.reason, socket.data.client);
      return this.#finish(socket, status.reason);
    }
    this.#admitted.add(socket);
    this.#wheel.schedule(socket, lastPingAt + HEARTBEAT_TIMEOUT_MS);
  }

  /** Sends nothing more and closes as soon as the peer has taken what is buffered, so that what it got is unbroken. */
  close(socket: ConnectionSocket, reason: DisconnectReason): void {
    if (socket.data.status.state !== 'open') return;
    // Saying goodbye to everyone is no refusal.
    if (!this.#isEnding) this.#options.onRefusal(reason, socket.data.client);
    socket.data.status = { state: 'closing', reason };
    this.#options.onLeave(socket);
    const graceMs = reason === 'dead' ? DEAD_READ_MS : LAST_READ_MS;
    this.#wheel.schedule(socket, this.#options.clock.monotonicMs() + graceMs);
    this.finishIfRead(socket);
  }

  /** Closes a socket that waited for its peer to read, if that has happened. */
  finishIfRead(socket: ConnectionSocket): void {
    const { status } = socket.data;
    if (status.state !== 'closing' || socket.getBufferedAmount() > 0) return;
    this.#finish(socket, status.reason);
  }

  /** Ends with a socket that the runtime reports as closed. */
  delete(socket: ConnectionSocket): void {
    if (socket.data.status.state !== 'closed') return this.#release(socket);
    this.#wheel.schedule(socket, this.#options.clock.monotonicMs() + LINGER_MS);
  }

  /** Bytes that each socket may be sent before what waits for all has to be looked at again. */
  get roomEachBytes(): number {
    const most = this.#mostWaitingBytes;
    const room = Math.max(most - this.#waitingBytes, most * LEAST_ROOM);
    return room / Math.max(1, this.#admitted.size);
  }

  /** Closes the readers for whom more waits than may; one that does not even take that is cut after a grace. */
  closeSlowReaders(): void {
    for (const socket of this.#admitted) this.closeIfSlow(socket);
    this.makeRoom();
  }

  /** Closes one reader likewise. */
  closeIfSlow(socket: ConnectionSocket): void {
    const { data } = socket;
    if (data.status.state === 'closed') return;
    this.#setWaiting(socket, socket.getBufferedAmount());
    if (data.status.state === 'open' && data.waitingBytes > this.#options.sendBufferBytes) {
      this.close(socket, 'too_slow');
    }
  }

  /**
   * Closes readers while more waits for all than may, first those for whom most waits. Who is closed keeps what waits
   * until it is read, which frees nothing, so that those who were on their way out already are cut.
   */
  makeRoom(): void {
    if (this.#waitingBytes <= this.#mostWaitingBytes) return;
    const waiting = Array.from(this.#admitted).filter(({ data }) => data.waitingBytes > 0);
    const sorted = waiting.toSorted((a, b) => b.data.waitingBytes - a.data.waitingBytes);
    let left = this.#waitingBytes;
    for (const closes of [false, true]) {
      for (const socket of sorted) {
        if (left <= this.#mostWaitingBytes) return;
        const { status, waitingBytes } = socket.data;
        if ((status.state === 'open') !== closes) continue;
        left -= waitingBytes;
        if (closes) this.close(socket, 'too_slow');
        else socket.terminate();
      }
    }
  }

  /** Closes every client of the profiles that know positions, because the stream has left them. */
  closeProfiles(reason: DisconnectReason): void {
    for (const socket of this.#admitted) {
      if (socket.data.profile.version !== DOCUMENTED_PROFILE) this.close(socket, reason);
    }
  }

  /** Closes all, and refuses who comes from now on. */
  closeAll(): void {
    this.#isEnding = true;
    for (const socket of this.#admitted) this.close(socket, 'shutdown');
  }

  /** Stops keeping time. */
  stopTicking(): void {
    this.#stopTicking();
  }

  #setWaiting({ data }: ConnectionSocket, bytes: number): void {
    this.#waitingBytes += bytes - data.waitingBytes;
    data.waitingBytes = bytes;
  }

  #finish(socket: ConnectionSocket, reason: DisconnectReason): void {
    this.#setWaiting(socket, 0);
    socket.data.status = { state: 'closed' };
    this.#options.onClose(socket, reason);
    socket.close(CLOSE_CODE, CLOSE_REASONS[DISCONNECT_REASONS[reason].close]);
  }

  #release(socket: ConnectionSocket): void {
    this.#wheel.remove(socket);
    this.#setWaiting(socket, 0);
    this.#admitted.delete(socket);
    this.#refused.delete(socket);
  }

  #tick(): void {
    const now = this.#options.clock.monotonicMs();
    // Never twice in a row, or else a process that is always late would judge nobody.
    this.#wasHalted = now - this.#lastTickAt > HALT_MS && !this.#wasHalted;
    this.#lastTickAt = now;
    if (this.#wasHalted) return;
    this.#wheel.advance(now);
    this.closeSlowReaders();
    this.#options.onTick();
  }

  #onDue(socket: ConnectionSocket): void {
    const { status, lastPingAt } = socket.data;
    switch (status.state) {
      case 'open':
        return this.#judge(socket, lastPingAt + HEARTBEAT_TIMEOUT_MS);
      case 'closing':
        return socket.terminate();
      case 'refused':
      case 'closed':
        return this.#release(socket);
    }
  }

  // A PING only notes its time: the wheel learns of it here.
  #judge(socket: ConnectionSocket, deadAt: number): void {
    if (deadAt > this.#options.clock.monotonicMs()) this.#wheel.schedule(socket, deadAt);
    else this.close(socket, 'dead');
  }
}
