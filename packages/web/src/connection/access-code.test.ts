import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { AccessCode, withoutCode } from './access-code.ts';

const PAGE = 'https://chat.test/';
const INSTANCE = 'https://chat.test/api';

function codeAt(url: string, storage = new MemoryStorage()): AccessCode {
  return new AccessCode({ storage, instanceUrl: INSTANCE, url });
}

test('[WC62] an invite link brings the code, which the next page has without it', () => {
  const storage = new MemoryStorage();
  expect(codeAt(`${PAGE}#code=k7mw%2Bp3xd`, storage).current.value).toBe('k7mw+p3xd');
  expect(codeAt(PAGE, storage).current.value).toBe('k7mw+p3xd');
  expect(codeAt(`${PAGE}#code=another-one`, storage).current.value).toBe('another-one');
});

test('[WC62] what cannot be a code is ignored', () => {
  for (const url of [PAGE, `${PAGE}#code=`, `${PAGE}#code=short`, `${PAGE}#code=with%20space`]) {
    expect(codeAt(url).current.value).toBeUndefined();
  }
});

test('[WC62] a refused code is forgotten, unless another page has stored a new one', () => {
  const storage = new MemoryStorage();
  const refused = codeAt(`${PAGE}#code=old-code`, storage);
  codeAt(PAGE, storage).keep('new-code');
  refused.forget();
  expect(codeAt(PAGE, storage).current.value).toBe('new-code');
  codeAt(PAGE, storage).forget();
  expect(codeAt(PAGE, storage).current.value).toBeUndefined();
});

test('[WC62] the address keeps everything but the code', () => {
  expect(withoutCode(`${PAGE}lobby?a=b#code=k7mw-p3xd`)).toBe(`${PAGE}lobby?a=b`);
  expect(withoutCode(`${PAGE}lobby#other`)).toBeUndefined();
});
