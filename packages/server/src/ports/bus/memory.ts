import type { Bus, BusListener, Publication } from './bus.ts';

/** The embedded engine: fan-out within this process. */
export function memoryBus(): Bus {
  const listeners = new Set<BusListener>();
  let disposed = false;
  return {
    async publish(publication: Publication) {
      if (disposed) throw new Error('the bus is disposed');
      const handedOver: (void | Promise<void>)[] = [];
      for (const listener of listeners) handedOver.push(hand(listener, publication));
      await Promise.all(handedOver);
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
