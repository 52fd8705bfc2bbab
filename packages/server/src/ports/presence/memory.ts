import type { Presence } from './presence.ts';

/** The engine of an instance that is one process. */
export function memoryPresence(): Presence {
  let own = 0;
  return {
    async report(count) {
      own = count;
      return own;
    },
    total: async () => own,
    async [Symbol.asyncDispose]() {},
  };
}
