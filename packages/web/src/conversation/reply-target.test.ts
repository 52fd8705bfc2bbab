import { signal } from '@preact/signals';
import { parseId } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { messageIdAt, messageUrl } from './message-url.ts';
import { excerptOf, quoteIn, withReply, type ReplyTarget } from './reply-target.ts';

const [ID = expect.unreachable()] = [parseId('42')];
const ROOT = 'https://chat.test/below/';
const lobby = { addressOf: (id: string) => `/lobby/${id}` };
const target: ReplyTarget = {
  id: ID,
  author: 'ada',
  content: 'good *evening*',
  url: messageUrl(lobby, ID, ROOT),
};

/** `text` as a reply, with room for so many characters more. */
function replied(
  text: string,
  { room = 1_000, to = target }: { room?: number; to?: ReplyTarget } = {},
) {
  return withReply({ reply: signal(to), charactersLeft: signal(room) }, text);
}

test('[WC40] a reply begins with a quote that links to its message', () => {
  const content = replied('and to you');
  expect(content).toBe('> [ada](https://chat.test/below/lobby/42): good evening\n\nand to you');
  expect(quoteIn(lobby, content, ROOT)).toMatchObject({
    author: 'ada',
    excerpt: 'good evening',
    id: ID,
    text: 'and to you',
  });
  expect(excerptOf(target)).toBe('good evening');
});

test('[WC40] a quote gets shorter if there is no room for it, and a text without a target stays as it is', () => {
  expect(replied('hello', { room: 45 })).toBe('> [ada](https://chat.test/below/lobby/42)\n\nhello');
  expect(replied('hello', { room: 3 })).toBe('hello');
  const none = { reply: signal(undefined), charactersLeft: signal(10) };
  expect(withReply(none, 'hello')).toBe('hello');
});

test('[WC41] a quote that links elsewhere is shown as it was written, and one without a link has no target', () => {
  const elsewhere = '> [ada](https://elsewhere.test/lobby/42): hello\n\ntext';
  expect(quoteIn(lobby, elsewhere, ROOT)).toBeUndefined();
  expect(quoteIn(lobby, '> **ada**: hello\n\ntext', ROOT)).toMatchObject({ id: undefined });
  expect(quoteIn(lobby, 'no quote', ROOT)).toBeUndefined();
});

test.each(['https://chat.test/lobby/42', 'https://chat.test/below/lobby/x', 'nothing'])(
  '%s is not the address of a message',
  (url) => {
    expect(messageIdAt(lobby, url, ROOT)).toBeUndefined();
  },
);
