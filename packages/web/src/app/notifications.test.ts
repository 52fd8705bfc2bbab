import { expect, test } from 'bun:test';
import { notificationBody, titleOf } from './notifications.ts';

test('the title shows how many messages are unread, as far as they can be counted', () => {
  expect(titleOf('Ember', 0)).toBe('Ember');
  expect(titleOf('Ember', 3)).toBe('(3) Ember');
  expect(titleOf('Ember', 1000)).toBe('(99+) Ember');
});

test('a notification has the beginning of the text, or says that there is a file', () => {
  expect(notificationBody('hello', 'a file')).toBe('hello');
  expect(notificationBody('', 'a file')).toBe('a file');
  expect(notificationBody('x'.repeat(300), 'a file')).toBe(`${'x'.repeat(200)}…`);
  expect(notificationBody(`${'x'.repeat(199)}😀y`, 'a file').isWellFormed()).toBe(true);
});
