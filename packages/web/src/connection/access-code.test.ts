import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { AccessCode, withoutCode } from './access-code.ts';

const PAGE = 'https://chat.test/';
const INSTANCE = 'https://chat.test/api';

/** The code of a page in a browser's tab. */
function codeAt(
  url: string,
  local: Storage = new MemoryStorage(),
  session: Storage = new MemoryStorage(),
): AccessCode {
  return new AccessCode({ storages: { local, session }, instanceUrl: INSTANCE, url });
}

test('[WC62][WC62a] an invite link brings the code, which the next page has without it', () => {
  const storage = new MemoryStorage();
  const invited = codeAt(`${PAGE}#code=k7mw%2Bp3xd`, storage);
  expect(invited.current.value).toBe('k7mw+p3xd');
  invited.accepted();
  expect(codeAt(PAGE, storage).current.value).toBe('k7mw+p3xd');
  expect(codeAt(`${PAGE}#code=another-one`, storage).current.value).toBe('another-one');
});

test('[WC62][WC62a] until the instance has accepted it, the code of an invite link replaces none that was', () => {
  const [local, tab] = [new MemoryStorage(), new MemoryStorage()];
  codeAt(PAGE, local).keep('right-code');
  const invited = codeAt(`${PAGE}#code=wrong-code`, local, tab);
  expect(codeAt(PAGE, local).current.value).toBe('right-code');
  expect(codeAt(PAGE, local, tab).current.value).toBe('wrong-code');
  expect(invited.refused()).toBe(true);
  const again = codeAt(PAGE, local, tab);
  expect(again.current.value).toBe('right-code');
  expect(again.refused()).toBe(false);
  expect(codeAt(PAGE, local, tab).current.value).toBeUndefined();
});

test('[WC62] an accepted code does not take back what another page has kept since', () => {
  const local = new MemoryStorage();
  codeAt(PAGE, local).keep('old-code');
  const page = codeAt(PAGE, local);
  codeAt(PAGE, local).keep('new-code');
  page.accepted();
  expect(codeAt(PAGE, local).current.value).toBe('new-code');
});

test('[WC62] what cannot be a code is ignored', () => {
  for (const url of [PAGE, `${PAGE}#code=`, `${PAGE}#code=short`, `${PAGE}#code=with%20space`]) {
    expect(codeAt(url).current.value).toBeUndefined();
  }
});

test('[WC62] a refused code is forgotten, unless another page has stored a new one', () => {
  const storage = new MemoryStorage();
  codeAt(PAGE, storage).keep('old-code');
  const refused = codeAt(PAGE, storage);
  codeAt(PAGE, storage).keep('new-code');
  expect(refused.refused()).toBe(true);
  expect(codeAt(PAGE, storage).current.value).toBe('new-code');
  expect(codeAt(PAGE, storage).refused()).toBe(false);
  expect(codeAt(PAGE, storage).current.value).toBeUndefined();
});

test('[WC62] the address keeps everything but the code', () => {
  expect(withoutCode(`${PAGE}lobby?a=b#code=k7mw-p3xd`)).toBe(`${PAGE}lobby?a=b`);
  expect(withoutCode(`${PAGE}lobby#other`)).toBeUndefined();
});
