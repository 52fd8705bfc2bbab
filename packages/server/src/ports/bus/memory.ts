import type { Bus, BusListener, Delivery, Publication } from './bus.ts';

/** The embedded engine: fan-out within this process. */
export function memoryBus(): Bus {
  /** Replaced rather than changed, so that a publication keeps to those who listened when it was made. */
  let listeners: readonly BusListener[] = [];
  const waiting: (() => void)[] = [];
  /** Another one for every process, because what is published here does not survive it. */
  const epoch = crypto.randomUUID();
  let position = 0;
  let isHanding = false;
  let disposed = false;

  /** Resolves when those who take their time have taken it; undefined where there are none. */
  function handOn(audience: readonly BusListener[], delivery: Delivery): Promise<void> | undefined {
    let slow: Promise<void>[] | undefined;
    for (const listener of audience) {
      if (!listeners.includes(listener)) continue;
      const taken = hand(listener, delivery);
      if (taken !== undefined) (slow ??= []).push(taken);
    }
    return slow === undefined ? undefined : Promise.all(slow).then(() => {});
  }

  // What a listener publishes waits until every listener was handed what is under way.
  function inTurn({ audience, event }: Publication): Promise<void> | undefined {
    const present = listeners;
    position += 1;
    const delivery: Delivery = { audience, event, epoch, position };
    if (isHanding) {
      return new Promise((resolve) => {
        waiting.push(() => resolve(handOn(present, delivery)));
      });
    }
    isHanding = true;
    const slow = handOn(present, delivery);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
    isHanding = false;
    return slow;
  }

  return {
    publish(publication) {
      if (disposed) throw new Error('the bus is disposed');
      return inTurn(publication);
    },
    subscribe(listener) {
      const own: BusListener = (delivery) => listener(delivery);
      listeners = [...listeners, own];
      return {
        startedAt: { epoch, position },
        unsubscribe() {
          listeners = listeners.filter((other) => other !== own);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      listeners = [];
    },
  };
}

// A listener's failure must neither reach the publisher nor keep the event from other listeners: it reports its own.
function hand(listener: BusListener, delivery: Delivery): Promise<void> | undefined {
  try {
    const taken = listener(delivery);
    return taken instanceof Promise ? taken.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}
