import { parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { splitAttachments } from '../attachments/split-attachments.ts';
import { quoteIn } from '../reply-target.ts';
import { editableParts, joinedParts } from './editable.ts';

const FILE = 'https://files.test/12';
const QUOTE = '> [ada](https://home.test/lobby/7): soup\n\n';

const lobby = { addressOf: (id: string) => `/lobby/${id}` };
const attachments = {
  split: (content: string) =>
    splitAttachments(content, (url) => (url === FILE ? parseId('12') : undefined)),
};

const divided = (content: string) =>
  editableParts(content, quoteIn(lobby, content, 'https://home.test/'), attachments);

test.each([
  ['soup', 'soup'],
  [`${QUOTE}yes`, 'yes'],
  [`look\n${FILE}`, 'look'],
  [FILE, ''],
  [`a\n${FILE}\nb`, `a\n${FILE}\nb`],
])('[WC116] the editable text of %j is %j', (content, text) => {
  const parts = divided(content);
  expect(parts.text).toBe(text);
  expect(joinedParts(parts, parts.text)).toBe(content);
});

test('[WC116] the files stay, whatever becomes of the text', () => {
  expect(joinedParts(divided(`look\n${FILE}`), 'see')).toBe(`see\n${FILE}`);
  expect(joinedParts(divided(`look\n${FILE}`), '')).toBe(FILE);
  expect(joinedParts(divided('look'), '')).toBe('');
});
