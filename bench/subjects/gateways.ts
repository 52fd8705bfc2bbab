import { AVERAGE_EVENT } from '../load/message.ts';
import { bunYardstick, nodeYardstick } from './yardstick.ts';

/** The runtime's own publish/subscribe. */
const BARE_PUBLISH = bunYardstick('bare Bun.serve publish', 'publish.ts');

/** The `ws` package on Node; undefined if Node is not installed. */
const WS = nodeYardstick('ws on Node', 'ws.mjs');

/** The subjects that the gateway is compared with. */
export const GATEWAYS = [BARE_PUBLISH, WS];

/** The runtime's own publish/subscribe with a text of the average length that clients receive if half use profile 1. */
export const AVERAGE_PUBLISH = bunYardstick(
  'bare Bun.serve publish, average length',
  'publish.ts',
  AVERAGE_EVENT,
);

/** The least possible cost of a resumption in this runtime. */
export const REPLAY = bunYardstick('bare Bun.serve replay', 'replay.ts');
