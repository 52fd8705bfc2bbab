/** The browser's storages, if it allows them. */
export interface Storages {
  /** Outlives the page. */
  readonly local: Storage | undefined;
  /** Belongs to one tab, and is copied with the tab. */
  readonly session: Storage | undefined;
}

/** One of the browser's storages, or undefined if it is forbidden. */
export function browserStorage(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return globalThis[name];
  } catch {
    return undefined;
  }
}

/** The value stored under `key`, if it can be read. */
export function readStored(storage: Storage | undefined, key: string): string | undefined {
  try {
    return storage?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores `value` under `key`, or removes it; returns whether that worked: the storage may be full or forbidden. */
export function writeStored(
  storage: Storage | undefined,
  key: string,
  value: string | undefined,
): boolean {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, value);
    return storage !== undefined;
  } catch {
    return false;
  }
}
