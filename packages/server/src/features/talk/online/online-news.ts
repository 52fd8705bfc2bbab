import { lobbySightOf, type Id, type ProfileEvent } from '@hearth/protocol';
import type { InstanceSettings } from '../../../config/config.ts';
import type { ConnectedClient, GatewayHost, GatewayPart } from '../../../gateway-host.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Presence } from '../../../ports/presence/presence.ts';

/** The shortest time between two changes of the number that all clients are sent (ON2). */
const NEWS_MS = 5_000;

/** The time after which the number is exchanged with the other processes if it does not change here. */
const EXCHANGE_MS = 2_000;

/** The topic of the clients that asked for the number. */
const TOPIC = 'online';

export interface OnlineNewsOptions {
  readonly presence: Presence;
  readonly clock: Clock;
  readonly servers: GatewayHost['servers'];
  readonly lobby: InstanceSettings['lobby'];
  /** Returns the number of connections of this process. */
  readonly own: () => number;
}

/** Sends the number of connections to the clients that asked for it: when they connect, and when it has changed. */
export class OnlineNews implements GatewayPart {
  readonly #options: OnlineNewsOptions;
  /** The number of connections of the other processes, as far as is known. */
  #others = 0;
  /** The number that this process has reported. */
  #reported = 0;
  #exchangedAt = -Infinity;
  #isExchanging = false;
  /** The number that every client was sent last; undefined if they were sent different ones. */
  #sent: number | undefined = 0;
  #sentAt = -Infinity;

  constructor(options: OnlineNewsOptions) {
    this.#options = options;
  }

  /** Sends a new client the number if it asked for it and may read the lobby. */
  enter(socket: ConnectedClient, user: Id | undefined): void {
    const { follows } = lobbySightOf(this.#options.lobby, user !== undefined);
    if (!asks(socket) || !follows) return;
    const count = this.#count;
    const isFirst = !this.#options.servers.hasSubscribers(TOPIC);
    this.#sent = isFirst || this.#sent === count ? count : undefined;
    socket.send(textOf(count));
    socket.subscribe(TOPIC);
  }

  /** Sends a client nothing more. */
  leave(socket: ConnectedClient): void {
    if (asks(socket)) socket.unsubscribe(TOPIC);
  }

  /** To be called often: exchanges the number with the other processes, and sends it if it has changed and it is time. */
  tick(): void {
    const now = this.#options.clock.monotonicMs();
    const isDue = now - this.#exchangedAt >= EXCHANGE_MS || this.#options.own() !== this.#reported;
    if (isDue && !this.#isExchanging) void this.#exchange(now);
    if (this.#count === this.#sent || now - this.#sentAt < NEWS_MS) return;
    this.#sent = this.#count;
    this.#sentAt = now;
    this.#options.servers.publish(TOPIC, textOf(this.#count));
  }

  get #count(): number {
    return this.#others + this.#options.own();
  }

  async #exchange(now: number): Promise<void> {
    this.#isExchanging = true;
    this.#exchangedAt = now;
    const reported = this.#options.own();
    this.#others = (await this.#options.presence.report(reported)) - reported;
    this.#reported = reported;
    this.#isExchanging = false;
  }
}

function textOf(count: number): string {
  return JSON.stringify({ op: 'ONLINE', d: { count } } satisfies ProfileEvent);
}

function asks({ data: { profile } }: ConnectedClient): boolean {
  return 'online' in profile;
}
