import type { ServiceContext } from '../context.ts';
import { areDescriptorsShort } from '../runtime/descriptor-limit.ts';
import type { Listener } from '../runtime/listener.ts';

/** The time between two counts of the descriptors, each of which takes about 100 microseconds. */
const TICK_MS = 250;

/** With fewer descriptors than these, the start logs a warning for the owner. */
const FEW_DESCRIPTORS = 4_096;

/**
 * Cuts idle HTTP connections of `services` when few of the process's `descriptors` are left, so that there is always one
 * for a new request. Disposal ends it.
 */
export function cutIdleConnections(
  { clock, log }: Pick<ServiceContext, 'clock' | 'log'>,
  services: readonly Pick<Listener, 'cutIdle'>[],
  descriptors: number,
): Disposable {
  if (descriptors < FEW_DESCRIPTORS) {
    log.warn({ descriptors }, 'the system allows this process only a few descriptors (ulimit -n)');
  }
  let wasShort = false;
  const stop = clock.every(TICK_MS, () => {
    const isShort = areDescriptorsShort();
    if (isShort) {
      const cut = services.reduce((sum, service) => sum + service.cutIdle(), 0);
      if (!wasShort) log.warn({ descriptors, cut }, 'descriptors run short: idle connections cut');
    }
    wasShort = isShort;
  });
  return { [Symbol.dispose]: stop };
}
