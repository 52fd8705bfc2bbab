import type { ChannelMessage } from '@hearth/protocol';
import type { ChannelClient } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { followPins, pinList } from './pin-list.ts';

// Guarantee: the list looks into no message.
const pinned = (id: string) => [{ id: idOf(id) }] as unknown as ChannelMessage[];

test('[WC173] the pins are those of the last change, however late the answer to an earlier one comes', async () => {
  const answers = [
    Promise.withResolvers<ChannelMessage[]>(),
    Promise.withResolvers<ChannelMessage[]>(),
  ];
  const asked: string[] = [];
  const listeners = new Map<string, () => void>();
  const channel = {
    pins: () => {
      const answer = answers[asked.length];
      asked.push('pins');
      return answer?.promise ?? expect.unreachable();
    },
    on: (name: string, listener: () => void) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    // Guarantee: nothing else of it is used.
  } as unknown as ChannelClient;
  const list = pinList(channel);
  const stop = followPins(channel, list);
  listeners.get('pin')?.();
  listeners.get('messageDelete')?.();
  answers[1]?.resolve(pinned('2'));
  await Bun.sleep(0);
  answers[0]?.resolve(pinned('1'));
  await Bun.sleep(0);
  expect(list.asked.value).toMatchObject({ state: 'there', value: { entries: pinned('2') } });
  expect(asked).toHaveLength(2);
  stop();
  expect(listeners.size).toBe(0);
});
