import type { Bus, BusListener, Publication } from './bus.ts';

/** The embedded engine: fan-out within this process. */
export function memoryBus(): Bus {
  const listeners = new Set<BusListener>();
  const handovers: (() => void)[] = [];
  let isHanding = false;
  let disposed = false;

  // What a listener publishes waits until every listener was handed what is under way.
  function inTurn(handover: () => void): void {
    handovers.push(handover);
    if (isHanding) return;
    isHanding = true;
    for (let next = handovers.shift(); next !== undefined; next = handovers.shift()) next();
    isHanding = false;
  }

  function handTo(audience: readonly BusListener[], publication: Publication): Promise<unknown> {
    const handed: Promise<void>[] = [];
    for (const listener of audience) {
      if (listeners.has(listener)) handed.push(hand(listener, publication));
    }
    return Promise.all(handed);
  }

  return {
    async publish(publication) {
      if (disposed) throw new Error('the bus is disposed');
      const audience = [...listeners];
      const { promise, resolve } = Promise.withResolvers<unknown>();
      inTurn(() => resolve(handTo(audience, publication)));
      await promise;
    },
    subscribe(listener) {
      const own: BusListener = (publication) => listener(publication);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      listeners.clear();
    },
  };
}

// A listener's failure must neither reach the publisher nor keep the event from other listeners.
async function hand(listener: BusListener, publication: Publication): Promise<void> {
  try {
    await listener(publication);
  } catch {
    // The listener reports its own failures.
  }
}
