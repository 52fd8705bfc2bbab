import { parseId, type Id, type UserSummary } from '@hearth/protocol';
import type { Client, ClientEvents } from '@hearth/sdk';
import { manualClock } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import { Typing } from './typing.ts';

const idOf = (number: number): Id => {
  const id = parseId(String(number));
  if (id === undefined) throw new TypeError('not an id');
  return id;
};

const CHANNEL = idOf(7);
const person = (number: number): UserSummary => ({ id: idOf(number), username: `p${number}` });

function typing() {
  const listeners = new Map<string, (event: never) => void>();
  const client: Pick<Client, 'on'> = {
    on(name, listener) {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  };
  const emit = <Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]) =>
    listeners.get(name)?.(event as never);
  const clock = manualClock();
  const own = new Typing(client, clock, idOf(1));
  const names = () => (own.people.value.get(CHANNEL) ?? []).map(({ user }) => user.username);
  const write = (number: number) => emit('typing', { channel_id: CHANNEL, user: person(number) });
  return { own, clock, emit, names, write };
}

test('[WC147] others who write are shown for eight seconds, in the order in which they began', async () => {
  const { clock, names, write } = typing();
  write(2);
  await clock.advance(5_000);
  write(3);
  write(1);
  expect(names()).toEqual(['p2', 'p3']);
  await clock.advance(3_000);
  expect(names()).toEqual(['p3']);
  write(3);
  await clock.advance(7_999);
  expect(names()).toEqual(['p3']);
  await clock.advance(1);
  expect(names()).toEqual([]);
});

test('[WC147] somebody who has posted is not shown any more', () => {
  const { emit, names, write } = typing();
  write(2);
  write(3);
  emit('channelMessage', {
    community_id: idOf(5),
    isMention: false,
    isOwn: false,
    message: {
      id: idOf(20),
      channel_id: CHANNEL,
      author: 'p2',
      content: 'here',
      user: person(2),
      created_at: 1,
      version: 1,
    },
  });
  expect(names()).toEqual(['p3']);
});
