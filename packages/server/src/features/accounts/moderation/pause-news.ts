import type { ProfileEvent, Pauses } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { ConnectedClient, GatewayHost, GatewayPart } from '../../../gateway-host.ts';
import { PAUSABLE, type InForce } from '../../../restrictions.ts';
import { lasting } from './require-admission.ts';

/** The topic of the clients that asked for what is paused. */
const TOPIC = 'pauses';

/** Sends what the owner has paused to the clients that asked for it: when they connect, and when it has changed. */
export class PauseNews implements GatewayPart {
  readonly #ctx: Pick<Context, 'clock' | 'restrictions'>;
  readonly #servers: Pick<GatewayHost['servers'], 'publish'>;
  readonly #stopFollowing: () => void;
  /** The news that every client was sent at the last change. */
  #published: string | undefined;

  constructor(
    ctx: Pick<Context, 'clock' | 'restrictions'>,
    servers: Pick<GatewayHost['servers'], 'publish'>,
  ) {
    [this.#ctx, this.#servers] = [ctx, servers];
    this.#stopFollowing = ctx.restrictions.onChange(() => this.#changed());
  }

  /** Sends a new client what is paused if it asked for it. */
  enter(socket: ConnectedClient): void {
    if (!asks(socket)) return;
    socket.send(this.#text);
    socket.subscribe(TOPIC);
  }

  /** Sends a client nothing more. */
  leave(socket: ConnectedClient): void {
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
    this.#servers.publish(TOPIC, text);
  }

  get #text(): string {
    const d = findPauses(this.#ctx, this.#ctx.restrictions.latest);
    return JSON.stringify({ op: 'PAUSES', d } satisfies ProfileEvent);
  }
}

function asks({ data: { profile } }: ConnectedClient): boolean {
  return 'pauses' in profile;
}

/** The pauses that have not ended. */
function findPauses(ctx: Pick<Context, 'clock'>, { pauses }: InForce): Pauses {
  return Object.fromEntries(
    PAUSABLE.flatMap((what) => {
      const term = lasting(ctx, [pauses[what]]);
      return term === undefined ? [] : [[what, term]];
    }),
  );
}
