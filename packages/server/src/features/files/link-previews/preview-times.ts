import { DAY_MS } from '../../../lib/clock.ts';

/** How old a preview is when it is made again if somebody posts its address, in milliseconds. */
export const REFRESHED_AFTER_MS = DAY_MS;

/** How long a preview is kept that nothing shows, in milliseconds. */
export const KEPT_UNUSED_MS = 7 * DAY_MS;
