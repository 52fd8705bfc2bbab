import { expect, test } from 'bun:test';
import { filledText, oneOf, path, textOfLength, url, wholeNumber } from './value-types.ts';

test('[CF8] takes whole numbers within their bounds only', () => {
  const { read } = wholeNumber(1, 1000);
  expect(read(1)).toEqual({ value: 1 });
  expect(read(1000)).toEqual({ value: 1000 });
  for (const raw of [0, -1, 1001, 1.5, Number.NaN, Infinity, 5n, '5', true, [5], {}, null]) {
    expect(read(raw)).toHaveProperty('got');
  }
});

test('[CF8] takes no number that is too large to be exact', () => {
  const { read } = wholeNumber(1);
  expect(read(Number.MAX_SAFE_INTEGER)).toEqual({ value: Number.MAX_SAFE_INTEGER });
  expect(read(Number.MAX_SAFE_INTEGER + 1)).toEqual({ got: '9007199254740992 (too large)' });
});

test('[CF8] counts the characters of a text as code points', () => {
  const { read } = textOfLength(1, 2048);
  expect(read('👋')).toEqual({ value: '👋' });
  expect(read('👋'.repeat(2048))).toHaveProperty('value');
  expect(read('👋'.repeat(2049))).toEqual({ got: `"${'👋'.repeat(60)}…" (2049 characters)` });
  expect(read('')).toEqual({ got: '""' });
  expect(read(7)).toEqual({ got: '7' });
});

test('[CF8] takes any text that is not empty as a name', () => {
  expect(filledText.read('H')).toEqual({ value: 'H' });
  expect(filledText.read('')).toEqual({ got: '""' });
  expect(filledText.read(7)).toEqual({ got: '7' });
});

test.each([
  'http://localhost:7159',
  'https://chat.example.org/',
  'https://chat.example.org/api/v1',
  'HTTPS://Chat.Example.ORG',
  'http://[::1]:7159',
  'https://häuschen.example',
])('[CF8] keeps the URL %s as it is written', (text) => {
  expect(url('http', 'https').read(text)).toEqual({ value: text });
});

test.each([
  '',
  'chat.example.org',
  'localhost:7159',
  '//chat.example.org',
  'http:chat.example.org',
  'http:/chat.example.org',
  'http:///chat.example.org',
  'http://',
  'http://:7159',
  'http://host:port',
  'http://host:65536',
  'http:\\\\chat.example.org',
  ' http://chat.example.org',
  'http://chat.example.org ',
  'http://chat.exa\nmple.org',
  'http://chat.example.org?',
  'http://chat.example.org/?a=1',
  'http://chat.example.org/#',
  'http://user@chat.example.org',
  'http://user:pass@chat.example.org',
  'http://:pass@chat.example.org',
  'ws://chat.example.org',
  'ftp://chat.example.org',
  'javascript:alert(1)',
])('[CF8] takes %j for no URL of a service', (text) => {
  expect(url('http', 'https').read(text)).toEqual({ got: JSON.stringify(text) });
});

test('[CF8] takes no URL that is no text', () => {
  expect(url('http', 'https').read(7159)).toEqual({ got: '7159' });
});

test('[CF8] takes ws and wss URLs where these are asked for', () => {
  const { read } = url('ws', 'wss');
  expect(read('ws://localhost:7160')).toHaveProperty('value');
  expect(read('wss://gateway.example.org')).toHaveProperty('value');
  expect(read('https://gateway.example.org')).toHaveProperty('got');
});

test('takes one of the given words as it is spelled', () => {
  const { read } = oneOf(['info', 'silent']);
  expect(read('silent')).toEqual({ value: 'silent' });
  expect(read('INFO')).toEqual({ got: '"INFO"' });
});

test('takes any path that a file can have', () => {
  expect(path.read('../a b/c.toml')).toEqual({ value: '../a b/c.toml' });
  expect(path.read('a\0b')).toHaveProperty('got');
});
