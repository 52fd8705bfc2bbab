import {
  CLOSE_CODE,
  CLOSE_REASONS,
  DISCONNECT_REASONS,
  DOCUMENTED_PROFILE,
  type DisconnectReason,
} from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import type { SocketLimits } from '../../runtime/descriptor-limit.ts';
import { deadlineOf, type Connection, type ConnectionSocket } from './connection.ts';
import { SLOT_MS, TimingWheel } from './timing-wheel.ts';

/** The time between two checks of connections. */
const TICK_MS = SLOT_MS;

/**
 * A tick this late means that the whole process was halted: what clients sent meanwhile must be read before they are
 * checked.
 */
const HALT_MS = 3_000;

/** The time that a slow reader that is being closed may take for what is buffered. */
const LAST_READ_MS = 30_000;

/** The time that a dead reader may take: it is gone within the promised time, whatever it was sent last. */
const DEAD_READ_MS = 500;

/** The longest time that the runtime keeps a descriptor if a peer does not answer the close frame. */
const LINGER_MS = 5_000;

/** The share of the bound on all waiting data that may be published before a check, even if as much already waits. */
const LEAST_ROOM = 1 / 32;

/**
 * The bytes of memory for each waiting byte: the runtime's buffers double as they grow, and what they free is not
 * reused for a while.
 */
const MEMORY_PER_BYTE = 2;

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly limits: SocketLimits;
  /** Bytes that may wait for one socket. */
  readonly sendBufferBytes: number;
  /** The memory that data waiting for all sockets together may take, in bytes. */
  readonly sendBufferTotalBytes: number;
  /** Called with every connection that is closed for a reason of its own, and not because all are closed. */
  readonly onRefusal: (reason: DisconnectReason, client: string) => void;
  /** Called about twice a second. */
  readonly onTick: () => void;
  /** Ends what the socket is sent on its own. */
  readonly onLeave: (socket: ConnectionSocket) => void;
  /** Sends the last payload before the close frame. */
  readonly onClose: (socket: ConnectionSocket, reason: DisconnectReason) => void;
}

/** All clients that are connected, and how each connection ends (Events rules 2 and 3). */
export class Connections {
  readonly #options: ConnectionsOptions;
  /** Bytes that may wait for all sockets together. */
  readonly #mostWaitingBytes: number;
  /** Admitted connections that still hold a descriptor, and refused ones that still do. */
  readonly #admitted = new Set<ConnectionSocket>();
  readonly #refused = new Set<ConnectionSocket>();
  readonly #wheel: TimingWheel<ConnectionSocket>;
  readonly #stopTicking: () => void;
  #lastTickAt: number;
  #wasHalted = false;
  #isEnding = false;
  #openCount = 0;
  /** Sockets that the runtime has not reported as closed. */
  #socketCount = 0;
  #onEnd: (() => void) | undefined;
  /** Bytes waiting for all sockets together, as of the last check of each. */
  #waitingBytes = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#mostWaitingBytes = options.sendBufferTotalBytes / MEMORY_PER_BYTE;
    this.#lastTickAt = options.clock.monotonicMs();
    this.#wheel = new TimingWheel(this.#lastTickAt, (socket) => this.#onDue(socket));
    this.#stopTicking = options.clock.every(TICK_MS, () => this.#tick());
  }

  /** True if all were disconnected and new clients are refused. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The number of open connections that are neither refused nor being closed. */
  get openCount(): number {
    return this.#openCount;
  }

  /** True if no more can be admitted. */
  get isFull(): boolean {
    const { admitted, refused } = this.#options.limits;
    const held = this.#admitted.size + this.#refused.size;
    return this.#isEnding || this.#admitted.size >= admitted || held >= admitted + refused;
  }

  /** True if no more can be admitted even to be refused: these may take half of the free places, besides their own. */
  get isCrowded(): boolean {
    const { admitted, refused } = this.#options.limits;
    return this.#refused.size >= refused + (admitted - this.#admitted.size) / 2;
  }

  /** Counts a socket that has just opened. */
  opened(): void {
    this.#socketCount += 1;
  }

  /** Registers such a socket. */
  add(socket: ConnectionSocket): void {
    const { status } = socket.data;
    if (status.state === 'refused') {
      this.#refused.add(socket);
      this.#options.onRefusal(status.reason, socket.data.client);
      return this.#finish(socket, status.reason);
    }
    this.#admitted.add(socket);
    this.#openCount += 1;
    this.#wheel.schedule(socket, deadlineOf(socket.data));
  }

  /**
   * Sends nothing more and closes as soon as the peer has taken what is buffered, so that what it received has no gap.
   */
  close(socket: ConnectionSocket, reason: DisconnectReason): void {
    if (socket.data.status.state !== 'open') return;
    // Closing everyone is not a refusal.
    if (!this.#isEnding) this.#options.onRefusal(reason, socket.data.client);
    socket.data.status = { state: 'closing', reason };
    this.#openCount -= 1;
    this.#options.onLeave(socket);
    const graceMs = reason === 'dead' ? DEAD_READ_MS : LAST_READ_MS;
    this.#wheel.schedule(socket, this.#options.clock.monotonicMs() + graceMs);
    this.finishIfRead(socket);
  }

  /** Closes a socket that was waiting for its peer to read, once that has happened. */
  finishIfRead(socket: ConnectionSocket): void {
    const { status } = socket.data;
    if (status.state !== 'closing' || socket.getBufferedAmount() > 0) return;
    this.#finish(socket, status.reason);
  }

  /** Removes a socket that the runtime reports as closed. */
  delete(socket: ConnectionSocket): void {
    this.#socketCount -= 1;
    if (this.#socketCount === 0) this.#onEnd?.();
    const { state } = socket.data.status;
    if (state === 'open') this.#openCount -= 1;
    if (state !== 'closed') return this.#release(socket);
    this.#wheel.schedule(socket, this.#options.clock.monotonicMs() + LINGER_MS);
  }

  /** Bytes that each socket may be sent before the data waiting for all has to be checked again. */
  get roomEachBytes(): number {
    const most = this.#mostWaitingBytes;
    const room = Math.max(most - this.#waitingBytes, most * LEAST_ROOM);
    return room / Math.max(1, this.#admitted.size);
  }

  /**
   * Closes readers with more waiting data than allowed. One that does not take even that is cut after a grace period.
   */
  closeSlowReaders(): void {
    for (const socket of this.#admitted) this.closeIfSlow(socket);
    this.makeRoom();
  }

  /** Closes one reader in the same way. */
  closeIfSlow(socket: ConnectionSocket): void {
    const { data } = socket;
    if (data.status.state === 'closed') return;
    this.#setWaiting(socket, socket.getBufferedAmount());
    if (data.status.state === 'open' && data.waitingBytes > this.#options.sendBufferBytes) {
      this.close(socket, 'too_slow');
    }
  }

  /**
   * Closes readers while more waits for all than is allowed, first those with the most waiting data. A closing reader
   * keeps its data until it is read, which frees nothing, so readers that were already being closed are cut.
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

  /** Closes every client for which `reasonFor` returns a reason. */
  expel(reasonFor: (connection: Connection) => DisconnectReason | undefined): void {
    for (const socket of this.#admitted) {
      const reason = socket.data.status.state === 'open' ? reasonFor(socket.data) : undefined;
      if (reason !== undefined) this.close(socket, reason);
    }
  }

  /** Closes all, and refuses new clients from now on. */
  closeAll(): void {
    this.#isEnding = true;
    for (const socket of this.#admitted) this.close(socket, 'shutdown');
  }

  /** Cuts all that are still open. */
  terminateAll(): void {
    for (const socket of [...this.#admitted, ...this.#refused]) {
      if (socket.data.status.state !== 'closed') socket.terminate();
    }
  }

  /** Resolves when the runtime has reported every socket as closed. */
  ended(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#socketCount === 0) resolve();
    else this.#onEnd = resolve;
    return promise;
  }

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
    // Never twice in a row, or a process that is always late would never check anyone.
    this.#wasHalted = now - this.#lastTickAt > HALT_MS && !this.#wasHalted;
    this.#lastTickAt = now;
    if (this.#wasHalted) return;
    this.#wheel.advance(now);
    this.closeSlowReaders();
    this.#options.onTick();
  }

  #onDue(socket: ConnectionSocket): void {
    const { status } = socket.data;
    switch (status.state) {
      case 'open':
        return this.#judge(socket, deadlineOf(socket.data));
      case 'closing':
        return socket.terminate();
      case 'refused':
      case 'closed':
        return this.#release(socket);
    }
  }

  // A PING only notes its time: the wheel is updated here.
  #judge(socket: ConnectionSocket, deadAt: number): void {
    if (deadAt > this.#options.clock.monotonicMs()) this.#wheel.schedule(socket, deadAt);
    else this.close(socket, 'dead');
  }
}
