import { browserStorage, readStored, writeStored } from '../lib/storage.ts';

const KEY = 'hearth.return';
const JOINING_KEY = 'hearth.joining';

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

/** Notes that the reader joins with an invite as soon as they have signed in, in this tab. */
export function joinAfterwards(code: string): void {
  writeStored(browserStorage('sessionStorage'), JOINING_KEY, code);
}

/** Returns whether the reader has asked to join with this invite, which is then forgotten. */
export function takeJoining(code: string): boolean {
  const storage = browserStorage('sessionStorage');
  const joining = readStored(storage, JOINING_KEY);
  writeStored(storage, JOINING_KEY, undefined);
  return joining === code;
}
