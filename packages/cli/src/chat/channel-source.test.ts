import { parseId, type ChannelMessage } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { shownIn } from './channel-source.ts';

const ADDRESSES = {
  messageUrl: () => undefined,
  messageIdAt: () => undefined,
  fileUrl: () => '',
  keyedFileAt: () => undefined,
};

function idOf(text: string) {
  const id = parseId(text);
  if (id === undefined) throw new Error(`${text} is no id`);
  return id;
}

const post_id = idOf('50');

test.each([
  [{}, 'Oak'],
  [{ post_id }, 'Oak\n→ post 50'],
  [{ kind: 'post' as const, post_id }, 'New post: Oak (post 50)'],
  [{ kind: 'post' as const, content: '' }, 'New post that is not shown here'],
])('[UC19] a message with %j reads %j, and is JSON as it was sent', (given, text) => {
  const message: ChannelMessage = {
    id: idOf('7'),
    channel_id: idOf('2'),
    author: 'ada',
    content: 'Oak',
    created_at: 0,
    version: 1,
    ...given,
  };
  const shown = shownIn(message, ADDRESSES);
  expect(shown.content).toBe(text);
  expect(shown.given).toEqual(message);
});
