import { expect, test } from 'bun:test';
import { notificationBody } from './notifications.ts';

const WORDS = { file: 'a file', newMessage: 'New message' };

function bodyOf(text: string, ids: readonly string[] = []): string {
  return notificationBody({ text, ids }, WORDS);
}

test('[WC64] a notification has the beginning of the plain text, or says that there is a file', () => {
  expect(bodyOf('**hello** ||you||')).toBe('hello …');
  expect(bodyOf('', ['a'])).toBe('a file');
  expect(bodyOf('https://example.org/')).toBe('New message');
  expect(bodyOf('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`);
  expect(bodyOf(`${'x'.repeat(199)}😀y`).isWellFormed()).toBe(true);
});
