import { signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { Conversation } from '../conversation/conversation.ts';
import { OpenChannels } from './open-channels.ts';

function opened() {
  const log: string[] = [];
  const pending = new Map<Id, unknown[]>();
  const channels = new OpenChannels((id) => {
    log.push(`open ${id}`);
    const conversation: Partial<Record<keyof Conversation, unknown>> = {
      outbox: { pending: signal(pending.get(id) ?? []) },
      uploads: { sending: signal([]), picked: signal([]) },
      start: () => log.push(`start ${id}`),
      [Symbol.dispose]: () => log.push(`close ${id}`),
    };
    return conversation as Conversation;
  });
  return { channels, log, pending };
}

const idOf = (number: number): Id => {
  const id = parseId(String(number));
  if (id === undefined) throw new TypeError('not an id');
  return id;
};

test('[WC146] a channel is loaded once, and the eight that were looked at last stay loaded', () => {
  const { channels, log } = opened();
  const first = channels.at(idOf(1));
  for (const number of [2, 3, 4, 5, 6, 7, 8]) channels.at(idOf(number));
  expect(channels.at(idOf(1))).toBe(first);
  log.length = 0;
  channels.at(idOf(9));
  expect(log).toEqual(['open 9', 'start 9', 'close 2']);
});

test('[WC146] a channel in which messages wait to be sent stays loaded', () => {
  const { channels, log, pending } = opened();
  pending.set(idOf(1), ['a message']);
  for (let number = 1; number <= 10; number += 1) channels.at(idOf(number));
  expect(log.filter((line) => line.startsWith('close'))).toEqual(['close 2', 'close 3']);
});

test('[WC146] the channel that is opened stays loaded, even if something waits in all others', () => {
  const { channels, log, pending } = opened();
  for (let number = 1; number <= 8; number += 1) pending.set(idOf(number), ['a message']);
  for (let number = 1; number <= 9; number += 1) channels.at(idOf(number));
  expect(log.filter((line) => line.startsWith('close'))).toEqual([]);
});

test('[WC146] a channel that the reader does not see any more is closed', () => {
  const { channels, log } = opened();
  channels.at(idOf(1));
  channels.close(idOf(1));
  channels.close(idOf(1));
  expect(log).toEqual(['open 1', 'start 1', 'close 1']);
  expect(channels.all()).toEqual([]);
});
