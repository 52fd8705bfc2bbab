import type { SdkClock } from '@hearth/sdk';

/** The browser's clock. */
export const browserClock: SdkClock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
