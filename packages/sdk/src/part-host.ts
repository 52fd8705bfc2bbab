import type { Api } from './api.ts';
import type { PartHost } from './communities/part.ts';
import type { AccountFeed } from './gateway/account-feed.ts';
import type { GatewayClient } from './gateway/gateway.ts';
import type { StreamsFeed } from './gateway/streams-feed.ts';
import type { Session } from './session.ts';

/** The parts of a client that it lends. */
interface Lent {
  readonly session: Session;
  readonly api: Api;
  readonly account: AccountFeed;
  readonly feed: StreamsFeed;
  readonly gateway: GatewayClient;
}

/** What a client lends to its part for communities. */
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
