import { expect, test } from 'bun:test';
import { joinUrl } from './join-url.ts';

test.each([
  ['http://h:1', ['a'], 'http://h:1/a'],
  ['https://h/files//', ['static', 'a b/ü?.png'], 'https://h/files/static/a%20b%2F%C3%BC%3F.png'],
])('%s and %j are joined to one URL', (base, segments, url) => {
  expect(joinUrl(base, ...segments)).toBe(url);
});
