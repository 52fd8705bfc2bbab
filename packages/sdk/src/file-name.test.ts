import { expect, test } from 'bun:test';
import { nameInDisposition } from './file-name.ts';

test.each([
  [null, undefined],
  ['inline', undefined],
  ['attachment; filename=plain.txt', 'plain.txt'],
  ['attachment; filename="two words.txt"', 'two words.txt'],
  [String.raw`attachment; filename="a \"b\" \\ c"`, String.raw`a "b" \ c`],
  [`attachment; filename="x"; filename*=UTF-8''%C3%A4%20b`, 'ä b'],
  [`attachment; FILENAME*=utf-8'de'%C3%A4; filename="x"`, 'ä'],
  [`attachment; filename="x"; filename*=UTF-8''%ff`, 'x'],
  [`attachment; filename="x"; filename*=ISO-8859-1''%E4`, 'x'],
  ['attachment; filename="unclosed', undefined],
  ['attachment; filename=""', ''],
])('the name in %j is %j', (header, name) => {
  expect(nameInDisposition(header)).toBe(name);
});
