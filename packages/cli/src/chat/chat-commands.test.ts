import { expect, test } from 'bun:test';
import { readChatCommand } from './chat-commands.ts';

test.each([
  ['hello', { kind: 'say', text: 'hello' }],
  ['and /quit', { kind: 'say', text: 'and /quit' }],
  [' /quit', { kind: 'say', text: ' /quit' }],
  ['//quit', { kind: 'say', text: '/quit' }],
  ['/quit', { kind: 'quit' }],
  ['/quit now', { kind: 'quit' }],
  ['/upload a b.png', { kind: 'upload', path: 'a b.png' }],
  ['/upload   a.png  ', { kind: 'upload', path: 'a.png' }],
  ['/upload "a b.png"', { kind: 'upload', path: 'a b.png' }],
  [`/upload '/tmp/it is "it".png'`, { kind: 'upload', path: '/tmp/it is "it".png' }],
  ['/upload /tmp/a\\ b.png', { kind: 'upload', path: '/tmp/a b.png' }],
  ['/upload ~/a.png', { kind: 'upload', path: '/home/ada/a.png' }],
  ['/upload ~ada/a.png', { kind: 'upload', path: '~ada/a.png' }],
])('[OP24] the line %j is parsed', (line, command) => {
  expect(readChatCommand(line, '/home/ada')).toMatchObject(command);
});

test.each([
  ['/help', /\/upload <file>/],
  ['/upload', /^which file\?/],
  ['/usr/bin/env is missing', /^unknown command \/usr\/bin\/env: see \/help/],
  ['/', /^unknown command \/: /],
])('[OP24] the line %j is answered with a notice and not sent', (line, text) => {
  expect(readChatCommand(line, undefined)).toEqual({
    kind: 'notice',
    text: expect.stringMatching(text),
  });
});
