import { parseId, RateLimitedError, type ChannelMessage, type Client } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { onRemoval, reportSlowMode, shownIn } from './channel-source.ts';

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

test('a community that is gone is reported once, also if the reason comes later, and again after it was back', () => {
  const listeners = new Map<string, (event: never) => void>();
  const client: Pick<Client, 'on'> = {
    on(name, listener) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  };
  const emit = (name: string, event: object) => listeners.get(name)?.(event as never);
  const id = idOf('100');
  let reported = 0;
  const stop = onRemoval(client, id, () => void (reported += 1));
  emit('communityRemoved', { id: idOf('101'), reason: 'left' });
  emit('communityRemoved', { id, reason: 'signed_out' });
  expect(reported).toBe(0);
  emit('communityRemoved', { id, reason: undefined });
  emit('communityRemoved', { id, reason: 'kicked' });
  expect(reported).toBe(1);
  emit('community', { id });
  emit('communityRemoved', { id, reason: 'kicked' });
  expect(reported).toBe(2);
  stop();
  expect(listeners.size).toBe(0);
});

test('[OP76] a busy place is not taken for slow mode', () => {
  const busy = new RateLimitedError('Too much', 2_000, 'busy');
  expect(() => reportSlowMode(busy)).toThrow(busy);
  expect(() => reportSlowMode(new RateLimitedError('Wait', 2_000))).toThrow('slow mode');
});
