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

/** The text that this tab stored last, or otherwise any other tab; empty if there is none. */
export function readInTab({ local, session }: Storages, key: string): string {
  return readStored(session, key) ?? readStored(local, key) ?? '';
}

/** Stores a text for this tab, and for new ones. */
export function writeInTab({ local, session }: Storages, key: string, text: string): void {
  writeStored(local, key, text === '' ? undefined : text);
  // Also if it is empty: then the text of another tab does not become this one's.
  writeStored(session, key, text);
}
