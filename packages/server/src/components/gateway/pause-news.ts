import type { Context } from '../../context.ts';
import { findPauses } from '../../features/moderation/find-pauses.ts';
import type { SocketServer } from '../../runtime/socket-server.ts';
import type { ConnectionSocket } from './connection.ts';
import { pausesText } from './event-texts.ts';

/** The topic of the clients that asked for what is paused. */
const TOPIC = 'pauses';

/** Sends what the owner has paused to the clients that asked for it: when they connect, and when it has changed. */
export class PauseNews {
  readonly #ctx: Pick<Context, 'clock' | 'restrictions'>;
  readonly #server: () => Pick<SocketServer, 'publish'>;
  readonly #stopFollowing: () => void;
  /** What every client was sent at the last change. */
  #published: string | undefined;

  constructor(
    ctx: Pick<Context, 'clock' | 'restrictions'>,
    server: () => Pick<SocketServer, 'publish'>,
  ) {
    [this.#ctx, this.#server] = [ctx, server];
    this.#stopFollowing = ctx.restrictions.onChange(() => this.#changed());
  }

  /** Sends a new client what is paused if it asked for it. */
  begin(socket: ConnectionSocket): void {
    if (!asks(socket)) return;
    socket.send(this.#text);
    socket.subscribe(TOPIC);
  }

  /** Sends a client nothing more. */
  leave(socket: ConnectionSocket): void {
    if (asks(socket)) socket.unsubscribe(TOPIC);
  }

  /** Follows the restrictions no more. */
  stop(): void {
    this.#stopFollowing();
  }

  // Clients know themselves when a pause ends.
  #changed(): void {
    const text = this.#text;
    if (text === this.#published) return;
    this.#published = text;
    this.#server().publish(TOPIC, text);
  }

  get #text(): string {
    return pausesText(findPauses(this.#ctx, this.#ctx.restrictions.latest));
  }
}

function asks({ data: { profile } }: ConnectionSocket): boolean {
  return 'pauses' in profile;
}
