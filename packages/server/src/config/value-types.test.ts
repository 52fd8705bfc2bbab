import { expect, test } from 'bun:test';
import { colour, filledText, oneOf, path, textOfLength, url, wholeNumber } from './value-types.ts';

test('[CF8] only whole numbers within the limits are accepted', () => {
  const { read } = wholeNumber(1, 1000);
  expect(read(1)).toEqual({ value: 1 });
  expect(read(1000)).toEqual({ value: 1000 });
  for (const raw of [0, -1, 1001, 1.5, Number.NaN, Infinity, 5n, '5', true, [5], {}, null]) {
    expect(read(raw)).toHaveProperty('got');
  }
});

test('[CF8] a number that is too large to be exact is refused', () => {
  const { read } = wholeNumber(1);
  expect(read(Number.MAX_SAFE_INTEGER)).toEqual({ value: Number.MAX_SAFE_INTEGER });
  expect(read(Number.MAX_SAFE_INTEGER + 1)).toEqual({ got: '9007199254740992 (too large)' });
});

test('[CF8] the characters of a text are counted as code points', () => {
  const { read } = textOfLength(1, 2048);
  expect(read('👋')).toEqual({ value: '👋' });
  expect(read('👋'.repeat(2048))).toHaveProperty('value');
  expect(read('👋'.repeat(2049))).toEqual({ got: `"${'👋'.repeat(60)}…" (2049 characters)` });
  expect(read('')).toEqual({ got: '""' });
  expect(read(7)).toEqual({ got: '7' });
});

test('[CF8] any text that is not empty is accepted as a name', () => {
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
])('[CF8] the URL %s is kept as it is written', (text) => {
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
])('[CF8] %j is not a URL of a service', (text) => {
  expect(url('http', 'https').read(text)).toEqual({ got: JSON.stringify(text) });
});

test('[CF8] a URL must be text', () => {
  expect(url('http', 'https').read(7159)).toEqual({ got: '7159' });
});

test('[CF8] ws and wss URLs are accepted if they are requested', () => {
  const { read } = url('ws', 'wss');
  expect(read('ws://localhost:7160')).toHaveProperty('value');
  expect(read('wss://gateway.example.org')).toHaveProperty('value');
  expect(read('https://gateway.example.org')).toHaveProperty('got');
});

test('one of the given words is accepted as it is spelled', () => {
  const { read } = oneOf(['info', 'silent']);
  expect(read('silent')).toEqual({ value: 'silent' });
  expect(read('INFO')).toEqual({ got: '"INFO"' });
});

test('any path that a file can have is accepted', () => {
  expect(path.read('../a b/c.toml')).toEqual({ value: '../a b/c.toml' });
  expect(path.read('a\0b')).toHaveProperty('got');
});

test('[CF8] a colour has six digits, and any case', () => {
  expect(colour.read('#0B57d0')).toEqual({ value: '#0b57d0' });
  for (const raw of ['#0b5', '0b57d0', '#0b57d0ff', '#0b57dg', 'red', ' #0b57d0', 0x0b57d0]) {
    expect(colour.read(raw)).toHaveProperty('got');
  }
});
