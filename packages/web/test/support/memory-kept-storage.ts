import type { KeptStorage } from '../../src/lib/kept-storage.ts';

/** A storage in memory, whose content outlives it as that of a browser does. */
export function memoryKeptStorage(stored: Map<string, unknown>): KeptStorage {
  return {
    read: (key) => Promise.resolve(stored.get(key)),
    list: (prefix) =>
      Promise.resolve(
        [...stored].flatMap(([key, value]) => (key.startsWith(prefix) ? [value] : [])),
      ),
    write: (key, value) => Promise.resolve(void stored.set(key, value)),
    async change(key, change) {
      const changed = change(stored.get(key));
      if (changed !== undefined) stored.set(key, changed);
      return changed;
    },
    remove: (key) => Promise.resolve(void stored.delete(key)),
    clear: () => Promise.resolve(stored.clear()),
  };
}
