import { bunYardstick, nodeYardstick } from './yardstick.ts';

/** The runtime's own publish/subscribe. */
export const BARE_PUBLISH = bunYardstick('bare Bun.serve publish', 'publish.ts');

/** The `ws` package on Node; undefined where there is no Node. */
export const WS = nodeYardstick('ws on Node', 'ws.mjs');
