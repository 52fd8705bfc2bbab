import { browserStorage, readStored, writeStored } from '../lib/storage.ts';

const KEY = 'hearth.return';

/** Notes where the reader goes after they have signed in, in this tab; a path as `webPath` returns it. */
export function returnTo(path: string): void {
  writeStored(browserStorage('sessionStorage'), KEY, path);
}

/** Returns where to go now, which is then forgotten; undefined if nothing was asked for. */
export function takeReturnPath(): string | undefined {
  const storage = browserStorage('sessionStorage');
  const path = readStored(storage, KEY);
  writeStored(storage, KEY, undefined);
  return path?.startsWith('/') === true ? path : undefined;
}
