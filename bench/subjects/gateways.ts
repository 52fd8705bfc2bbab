import { bunYardstick, nodeYardstick } from './yardstick.ts';

/** The runtime's own publish/subscribe. */
const BARE_PUBLISH = bunYardstick('bare Bun.serve publish', 'publish.ts');

/** The `ws` package on Node; undefined where there is no Node. */
const WS = nodeYardstick('ws on Node', 'ws.mjs');

/** What the gateway is compared with. */
export const GATEWAYS = [BARE_PUBLISH, WS];
