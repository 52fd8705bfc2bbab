import { AVERAGE_EVENT } from '../load/message.ts';
import { bunYardstick, nodeYardstick } from './yardstick.ts';

/** The runtime's own publish/subscribe. */
const BARE_PUBLISH = bunYardstick('bare Bun.serve publish', 'publish.ts');

/** The `ws` package on Node; undefined where there is no Node. */
const WS = nodeYardstick('ws on Node', 'ws.mjs');

/** What the gateway is compared with. */
export const GATEWAYS = [BARE_PUBLISH, WS];

/** The runtime's own publish/subscribe of a text as long as clients get it on average where half are of profile 1. */
export const AVERAGE_PUBLISH = bunYardstick(
  'bare Bun.serve publish, average length',
  'publish.ts',
  AVERAGE_EVENT,
);

/** The least that a resumption can cost in this runtime. */
export const REPLAY = bunYardstick('bare Bun.serve replay', 'replay.ts');
