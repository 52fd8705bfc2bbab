import type { Id } from '@hearth/protocol';
import type { Api } from './api.ts';
import type { SdkClock } from './clock.ts';
import type { Emitter } from './emitter.ts';
import type { AccountFeed } from './gateway/account-feed.ts';
import type { GatewayClient } from './gateway/gateway.ts';
import type { StreamsListener } from './gateway/other-streams.ts';
import type { StreamsFeed } from './gateway/streams-feed.ts';
import type { Session } from './session.ts';
import type { ClientEvents } from './types.ts';

/** The parts that a client lends to its part for communities. */
export interface PartHost {
  readonly api: Api;
  readonly clock: SdkClock;
  readonly random: () => number;
  readonly life: AbortSignal;
  readonly events: Emitter<ClientEvents>;
  readonly ownId: () => Id | undefined;
  readonly caughtUp: () => Promise<void>;
  readonly keepOpen: () => void;
  readonly open: (signal: AbortSignal | undefined) => Promise<void>;
  /** Sends a payload to a gateway of profile 2, if that is open. */
  readonly send: (payload: object) => void;
  /** Gives `listener` what the gateway sends about streams. */
  readonly attach: (listener: StreamsListener) => void;
}

/** The parts of a client that it lends. */
interface Lent {
  readonly session: Session;
  readonly api: Api;
  readonly account: AccountFeed;
  readonly feed: StreamsFeed;
  readonly gateway: GatewayClient;
}

/** Returns what a client lends to its part for communities. */
export function partHost({ session, api, account, feed, gateway }: Lent): PartHost {
  const { clock, random, life, events } = session;
  return {
    api,
    clock,
    random,
    life: life.signal,
    events,
    ownId: () => account.userId,
    caughtUp: () => gateway.caughtUp(),
    keepOpen: () => gateway.keepOpen(),
    open: (signal) => gateway.open({ signal }),
    send: (payload) => gateway.send(payload),
    attach: (listener) => feed.attach(listener),
  };
}
