import type { DoorContext } from '../context.ts';
import { areDescriptorsShort } from '../runtime/descriptor-limit.ts';
import type { Listener } from '../runtime/http-server.ts';

/** How often the descriptors are looked at, which takes about 100 microseconds. */
const TICK_MS = 250;

/** Where fewer than these are allowed the owner is told at the start. */
const FEW_DESCRIPTORS = 4_096;

/**
 * Cuts idle HTTP connections of `doors` whenever few of the process's `descriptors` are left, so that there is always
 * one for a request that comes. Disposal ends it.
 */
export function cutIdleConnections(
  { clock, log }: Pick<DoorContext, 'clock' | 'log'>,
  doors: readonly Pick<Listener, 'cutIdle'>[],
  descriptors: number,
): Disposable {
  if (descriptors < FEW_DESCRIPTORS) {
    log.warn({ descriptors }, 'the system allows this process few descriptors (ulimit -n)');
  }
  let wasShort = false;
  const stop = clock.every(TICK_MS, () => {
    const isShort = areDescriptorsShort();
    if (isShort) {
      const cut = doors.reduce((sum, door) => sum + door.cutIdle(), 0);
      if (!wasShort) log.warn({ descriptors, cut }, 'descriptors run short: idle connections cut');
    }
    wasShort = isShort;
  });
  return { [Symbol.dispose]: stop };
}
