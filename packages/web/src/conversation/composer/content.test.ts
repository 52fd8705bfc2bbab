import { expect, test } from 'bun:test';
import { formatId, ID_EPOCH_SECONDS } from '@hearth/protocol';
import { contentLength, contentOf, trimmedText } from './content.ts';

const urlOf = (id: string) => `http://files.test/${id}`;

test('files are on lines of their own, after the text', () => {
  expect(contentOf('look', ['u1', 'u2'])).toBe('look\nu1\nu2');
  expect(contentOf('', ['u1'])).toBe('u1');
  expect(contentOf('only text', [])).toBe('only text');
});

test('white space at the ends is not sent, but indentation is', () => {
  expect(trimmedText('  \n\n    code\n  ')).toBe('    code');
  expect(trimmedText(' \n \n')).toBe('');
  expect(trimmedText('a\n\nb')).toBe('a\n\nb');
});

test('half a character is sent as the replacement character, which servers accept', () => {
  expect(trimmedText('a\ud83d')).toBe('a\ufffd');
});

test('characters are counted as the protocol does: an emoji is one', () => {
  expect(contentLength('👋👋 ', 0, urlOf)).toBe(2);
  expect(contentLength('', 0, urlOf)).toBe(0);
});

test('the addresses of files count before their identifiers are known', () => {
  const seconds = Math.floor(Date.now() / 1000) - ID_EPOCH_SECONDS;
  const url = urlOf(formatId({ seconds, instanceId: 1, sequence: 1 }));
  expect(contentLength('look', 2, urlOf)).toBe('look'.length + 2 * (1 + url.length));
  expect(contentLength('', 1, urlOf)).toBe(url.length);
});
