import { expect, test } from 'bun:test';
import { de } from '../../text/de.ts';
import { en } from '../../text/en.ts';
import { shownFileName } from './shown-file-name.ts';

test.each([
  ['cat.png', 'cat.png', 'cat.png'],
  ['a\u202eb\n', 'a\ufffdb\ufffd', 'a\ufffdb\ufffd'],
  ['\u200b.png', '\u200b.png', '\u200b.png'],
  ['\u200b\u3164', 'file', 'Datei'],
  ['\u2800', 'file', 'Datei'],
])('[FD14] the file %j is shown as %j, in German as %j', (name, english, german) => {
  expect(shownFileName({ name }, en.attachments)).toBe(english);
  expect(shownFileName({ name }, de.attachments)).toBe(german);
});
