import { expect, test } from 'bun:test';
import { notificationBody } from './notifications.ts';

test('a notification has the beginning of the text, or says that there is a file', () => {
  expect(notificationBody('hello', 'a file')).toBe('hello');
  expect(notificationBody('', 'a file')).toBe('a file');
  expect(notificationBody('x'.repeat(300), 'a file')).toBe(`${'x'.repeat(200)}…`);
  expect(notificationBody(`${'x'.repeat(199)}😀y`, 'a file').isWellFormed()).toBe(true);
});
