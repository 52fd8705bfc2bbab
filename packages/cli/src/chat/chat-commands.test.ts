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
  ['/me waves at *you*', { kind: 'say', text: '_waves at *you*_' }],
  ['/nick  ada l. ', { kind: 'rename', name: 'ada l.' }],
  ['/open', { kind: 'open', count: 1 }],
  ['/open 12', { kind: 'open', count: 12 }],
  ['/spoiler', { kind: 'reveal' }],
  ['/clear', { kind: 'clear' }],
  ['/edit  good night ', { kind: 'edit', text: 'good night' }],
  ['/delete', { kind: 'delete' }],
  ['/reply  yes, both', { kind: 'reply', count: 1, text: 'yes, both' }],
  ['/reply 2 3 apples\nand a pear', { kind: 'reply', count: 2, text: '3 apples\nand a pear' }],
  ['/react 👍', { kind: 'react', emoji: '👍', count: 1 }],
  ['/react ❤️  3', { kind: 'react', emoji: '❤️', count: 3 }],
  ['/join  garden/the oaks ', { kind: 'join', place: 'garden/the oaks' }],
  ['/lobby', { kind: 'join', place: 'lobby' }],
  ['/channels', { kind: 'channels' }],
])('[OP24][OP54][UC5][UC6][UC11] the line %j is parsed', (line, command) => {
  expect(readChatCommand(line, '/home/ada')).toMatchObject(command);
});

test.each([
  ['/help', /\/upload <file>/],
  ['/upload', /^which file\?/],
  ['/me', /^what do you do\?/],
  ['/nick', /^a name must have 2 to 32 characters: \/nick <name>/],
  ['/nick a', /^a name must/],
  [`/nick ${'x'.repeat(33)}`, /^a name must/],
  ['/join', /^which channel\?/],
  ['/edit', /^to what\?/],
  ['/reply', /^what\? \/reply <text>/],
  ['/reply 0 no', /^what\? \/reply <text>/],
  ['/react', /^with what\?/],
  ['/react 👍 0', /^with what\?/],
  ['/open 0', /^which one\?/],
  ['/open -1', /^which one\?/],
  ['/open http://h', /^which one\?/],
  ['/usr/bin/env is missing', /^unknown command \/usr\/bin\/env: see \/help/],
  ['/', /^unknown command \/: /],
])('[OP24][OP54] the line %j is answered with a notice and not sent', (line, text) => {
  expect(readChatCommand(line, undefined)).toEqual({
    kind: 'notice',
    text: expect.stringMatching(text),
  });
});
