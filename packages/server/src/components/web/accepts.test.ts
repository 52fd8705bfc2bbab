import { expect, test } from 'bun:test';
import { acceptsEncoding, prefersJson } from './answers.ts';

test.each([
  'application/json',
  'Application/JSON',
  'application/json, text/plain, */*',
  'application/json;charset=utf-8',
  'application/*, text/html;q=0.9',
  'text/html;q=0.5, application/json;q=0.6',
  'text/html;q=0, */*',
  'application/json, text/*',
])('[WC6] %j prefers JSON', (accept) => {
  expect(prefersJson(accept)).toBe(true);
});

test.each([
  null,
  '',
  '*/*',
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
  'text/html, application/json',
  'application/json;q=0.9, */*',
  'application/json;q=0',
  'application/json;q=2',
  'application/json;q=x',
  'application/jsonx, xapplication/json',
  ',;,;q=1,/',
])('[WC6] %j does not prefer JSON', (accept) => {
  expect(prefersJson(accept)).toBe(false);
});

test.each([
  ['gzip, deflate, br', 'br', true],
  ['gzip, deflate, br', 'gzip', true],
  ['GZIP;q=0.001', 'gzip', true],
  ['*', 'br', true],
  ['*, br;q=0', 'br', false],
  ['br;q=0, *', 'br', false],
  ['gzip;q=0.000', 'gzip', false],
  ['identity', 'gzip', false],
  ['', 'gzip', false],
  [null, 'gzip', false],
])('[WC11] %j and %s: %p', (header, encoding, isAccepted) => {
  expect(acceptsEncoding(header, encoding)).toBe(isAccepted);
});
