import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { ownKeys } from './own-keys.ts';

const SOURCES = `${import.meta.dir}/..`;

/** Places where keys may be read: handlers that are given to one of the two functions. */
const ALLOWED =
  /(?:onKeyDown(?:=\{|: ))?(?:ownKeys|listenToKeys)\((?:onKeyDown\))?|const onKeyDown = /g;
const READS_KEYS = /onKey(?:Down|Up|Press)|key(?:down|up|press)\b|isComposing|keyCode/;

test.each([
  ['during a composition', false, { isComposing: true, keyCode: 229 }],
  ['during a composition, by its own code', false, { isComposing: true, keyCode: 13 }],
  ['that ends a composition in Safari', false, { isComposing: false, keyCode: 229 }],
  ['of the page', true, { isComposing: false, keyCode: 13 }],
])('[WC360] a key %s is read: %p', (_, isOwn, event) => {
  const read: unknown[] = [];
  ownKeys<typeof event>((each) => read.push(each))(event);
  expect(read).toEqual(isOwn ? [event] : []);
});

test('[WC360] nothing in the client reads keys that an input method may have taken', async () => {
  const others: string[] = [];
  for await (const path of new Glob('**/*.{ts,tsx,js,html}').scan(SOURCES)) {
    if (path.startsWith('ui/own-keys.')) continue;
    const source = await Bun.file(`${SOURCES}/${path}`).text();
    if (READS_KEYS.test(source.replaceAll(ALLOWED, ''))) others.push(path);
  }
  expect(others).toEqual([]);
});
