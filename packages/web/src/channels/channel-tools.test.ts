import { signal } from '@preact/signals';
import type { ChannelClient, Client, MyChannel } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { channel, garden, idOf, role } from '../../test/support/fake-communities.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';
import { ChannelTools, slowUntil } from './channel-tools.ts';

function tools(reached: number | Error, own: MyChannel = channel('2', 'general')) {
  const asked: string[] = [];
  const community = garden({
    roles: [
      role('1', 'everyone', { mentionable: true }),
      role('11', 'Bee keepers', { mentionable: true }),
      role('12', 'Cooks'),
    ],
  });
  const reach: ChannelClient['reach'] = async (text) => {
    asked.push(text);
    if (reached instanceof Error) throw reached;
    return reached;
  };
  // Guarantee: nothing else of these is used.
  const client = { communities: { get: () => community } } as unknown as Client;
  const part = { reach } as ChannelClient;
  const options = { client, channel: part, own: signal(own), owner: idOf('7') };
  return {
    asked,
    own: new ChannelTools({ ...options, clock: manualClock() }),
  };
}

const without = (...permissions: string[]): MyChannel => {
  const own = channel('2', 'general');
  const left = [...own.permissions].filter((each) => !permissions.includes(each));
  return { ...own, permissions: new Set(left) };
};

test('[WC172] the reader is asked before a message that mentions more than 50 people', async () => {
  const { own, asked } = tools(51);
  const isSent = own.confirmSend('@all, come');
  await Bun.sleep(0);
  expect(own.shown.value).toMatchObject({ kind: 'reach', people: 51 });
  if (own.shown.value?.kind === 'reach') own.shown.value.decide(false);
  expect(await isSent).toBe(false);
  expect([own.shown.value, asked]).toEqual([undefined, ['@all, come']]);
});

test('[WC172][WC172a] a text is not sent if the reader leaves the channel when they are asked', async () => {
  const { own } = tools(51);
  const isSent = own.confirmSend('@all, come');
  await Bun.sleep(0);
  own.leave();
  expect([await isSent, own.shown.value]).toEqual([false, undefined]);
  own.shown.value = { kind: 'pins' };
  own.leave();
  expect(own.shown.value).toBeUndefined();
});

test('[WC172][WC172a] others are sent without a question, and if the number cannot be had', async () => {
  expect(await tools(50).own.confirmSend('@bee-keepers, come')).toBe(true);
  expect(await tools(new Error('away')).own.confirmSend('@all')).toBe(true);
});

test.each([
  ['hello everybody', false, []],
  ['@ada come', false, []],
  ['@all come', true, []],
  ['@cooks come', true, []],
  ['@all come', false, ['MENTION_ALL']],
  ['@cooks come', false, ['MENTION_ALL']],
  ['@bee-keepers come', true, ['MENTION_ALL']],
])('[WC172] the instance is asked how many %j reaches: %j, without %j', (text, isAsked, lacks) => {
  const { own } = tools(1, without(...lacks));
  expect(own.confirmSend(text) !== undefined).toBe(isAsked);
});

const entry = (isOwn: boolean, createdAtMs: number) =>
  ({ kind: 'message', isOwn, createdAtMs }) as MessageEntry;
const slow = (own: MyChannel) =>
  ({ ...own, details: { ...own, slow_mode_seconds: 30 } }) as unknown as MyChannel;

test('[WC178] in slow mode, one writes again some time after the last message, unless one need not wait', () => {
  const entries = [entry(true, 1_000), entry(true, 5_000), entry(false, 9_000)];
  const waiting = slow(without('BYPASS_SLOW_MODE', 'MANAGE_CONTENT'));
  expect(slowUntil(waiting, entries)).toBe(35_000);
  expect(slowUntil(waiting, entries.slice(2))).toBe(0);
  expect(slowUntil(slow(without('MANAGE_CONTENT')), entries)).toBe(0);
  expect(slowUntil(slow(without('BYPASS_SLOW_MODE')), entries)).toBe(0);
  expect(slowUntil(without('BYPASS_SLOW_MODE', 'MANAGE_CONTENT'), entries)).toBe(0);
});
