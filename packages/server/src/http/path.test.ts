import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { requestPath } from './path.ts';

test.each([
  ['http://h', '/'],
  ['http://h/', '/'],
  ['http://h//', '/'],
  ['http://h////', '/'],
  ['http://h/messages', '/messages'],
  ['http://h/messages/', '/messages'],
  ['http://h//messages', '/messages'],
  ['http://h///messages///', '/messages'],
  ['http://h/attachments//1///data/', '/attachments/1/data'],
  ['http://h:7159/a', '/a'],
  ['http://[::1]:7159//a/', '/a'],
  ['https://h/http://x', '/http:/x'],
])('[HT6] the path of %s is %s', (url, path) => {
  expect(requestPath(url)).toBe(path);
});

test.each([
  ['http://h/?a=//b/', '/'],
  ['http://h/a?', '/a'],
  ['http://h/a/?b', '/a'],
  ['http://h/a?b=/c//d/', '/a'],
  ['http://h/a?b?c', '/a'],
])('[HT6] the query of %s is not part of its path', (url, path) => {
  expect(requestPath(url)).toBe(path);
});

test.each([
  ['http://h/%2F%2f/', '/%2F%2f'],
  ['http://h/a%2F', '/a%2F'],
  ['http://h/%2e%2e%2f', '/%2e%2e%2f'],
  ['http://h/%', '/%'],
  ['http://h/%zz/%ff', '/%zz/%ff'],
  ['http://h/%3Fa', '/%3Fa'],
  ['http://h/%2561', '/%2561'],
])('[HT7] nothing of %s is decoded: its path is %s', (url, path) => {
  expect(requestPath(url)).toBe(path);
});

test.each([
  ['/', '/'],
  ['/rate_limits', '/rate_limits'],
  ['//rate_limits/?a=://b/c', '/rate_limits'],
  ['/a://b/c', '/a:/b/c'],
])('[HT6] a request without a usable Host, whose url is %s, has the path %s', (url, path) => {
  expect(requestPath(url)).toBe(path);
});

test('[HT6] any number of slashes makes no difference', () => {
  const slashes = fc.integer({ min: 1, max: 4 }).map((count) => '/'.repeat(count));
  const segment = fc.stringMatching(/^[a-z0-9%.:@_~-]{1,8}$/);
  const segments = fc.array(fc.tuple(slashes, segment), { maxLength: 6 });
  fc.assert(
    fc.property(segments, fc.nat({ max: 3 }), fc.webQueryParameters(), (parts, trailing, query) => {
      const path = parts.map(([separator, name]) => separator + name).join('');
      const expected = `/${parts.map(([, name]) => name).join('/')}`;
      const written = `${path}${'/'.repeat(trailing)}` || '/';
      expect(requestPath(`http://h${written}?${query}`)).toBe(expected);
      expect(requestPath(`${written}?${query}`)).toBe(expected);
    }),
  );
});
