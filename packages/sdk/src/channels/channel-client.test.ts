import type { ChannelMessage, OwnCommunity } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import {
  channelOf,
  idOf,
  ME,
  messageOf,
  ownCommunity,
  stubOf,
} from '../../test/support/communities.ts';
import { fakeHost, GARDEN_PLACES, type FakeHost } from '../../test/support/fake-host.ts';
import { deferred } from '../deferred.ts';

const CHANNEL = idOf(110);
const HISTORY = 'GET /channels/110/messages';

/** A connected client of a member of community 100, whose channel 110 has a newest message, 500. */
function connected(): FakeHost {
  const host = fakeHost();
  for (const [stream, place] of GARDEN_PLACES) host.places.set(stream, place);
  const channels = [stubOf({ last_id: idOf(500) }), stubOf({ id: idOf(111), name: 'other' })];
  host.ready({ communities: [ownCommunity({ channels })] });
  return host;
}

/** Lets all requests come to an end. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function recorded({ part }: FakeHost): string[] {
  const seen: string[] = [];
  const channel = part.channel(CHANNEL);
  channel.on(
    'message',
    ({ id, isRecovered }) => void seen.push(`${isRecovered ? 'old ' : ''}${id}`),
  );
  channel.on('messageUpdate', ({ id, content }) => void seen.push(`${id}: ${content}`));
  channel.on('messageDelete', ({ id }) => void seen.push(`-${id}`));
  channel.on('reaction', ({ id, emoji }) => void seen.push(`${id} ${emoji}`));
  channel.on('pin', ({ id, isPinned }) => void seen.push(`${id} ${isPinned ? '' : 'un'}pinned`));
  channel.on('gap', () => void seen.push('gap'));
  channel.on('closed', () => void seen.push('closed'));
  return seen;
}

const message = (number: number, more: Partial<ChannelMessage> = {}) =>
  messageOf({ ...more, id: idOf(number) });

describe('[SK36] a channel', () => {
  test('a channel has its own events of the stream of its community, and no others', () => {
    const host = connected();
    const seen = recorded(host);
    host.event('c:100', 'MESSAGE_CREATE', message(501));
    host.event('c:100', 'MESSAGE_CREATE', message(502, { channel_id: idOf(111) }));
    host.event('c:100', 'MESSAGE_UPDATE', message(501, { content: 'new', version: 2 }));
    const reaction = { channel_id: CHANNEL, message_id: idOf(501), emoji: '👍', user_id: idOf(2) };
    host.event('c:100', 'REACTION_ADD', { ...reaction, count: 1, version: 3 });
    host.event('c:100', 'PIN_ADD', { channel_id: CHANNEL, message_id: idOf(501) });
    host.event('c:100', 'PIN_REMOVE', { channel_id: idOf(111), message_id: idOf(502) });
    host.event('c:100', 'SOMETHING_NEW', { channel_id: CHANNEL });
    host.event('c:100', 'MESSAGE_DELETE_MANY', { channel_id: CHANNEL, ids: [idOf(501)] });
    expect(seen).toEqual(['501', '501: new', '501 👍', '501 pinned', '-501']);
    expect(host.asked).toEqual([]);
  });

  test('a channel reads what it missed if the stream cannot be continued, and reports no gap', async () => {
    const host = connected();
    const seen = recorded(host);
    host.event('c:100', 'MESSAGE_CREATE', message(501));
    host.answers.set(HISTORY, () => [message(503), message(502)]);
    host.listener.left();
    host.resumed('c:100');
    expect(host.part.channel(CHANNEL).isCurrent).toBe(false);
    host.event('c:100', 'MESSAGE_CREATE', message(504));
    await quiet();
    expect(seen).toEqual(['501', '-501', 'old 502', 'old 503', '504']);
    expect(host.part.channel(CHANNEL).isCurrent).toBe(true);
  });

  test('a channel goes on in another stream when it becomes restricted and open again', async () => {
    const host = connected();
    const seen = recorded(host);
    const reader = host.part.channel(CHANNEL).messages();
    host.event('c:100', 'MESSAGE_CREATE', message(501));
    host.event('c:100', 'CHANNEL_DELETE', { id: CHANNEL, community_id: idOf(100) });
    expect(host.part.communities.channel(CHANNEL)).toBeUndefined();
    host.answers.set('GET /channels/110', () => channelOf({ restricted: true, version: 3 }));
    host.answers.set(HISTORY, () => [message(502), message(501)]);
    host.places.set('r:110', { epoch: 'e', s: 7 });
    host.listener.streamOpened('r:110', { epoch: 'e', s: 7 });
    await quiet();
    expect(host.part.communities.channel(CHANNEL)?.restricted).toBe(true);
    host.event('r:110', 'MESSAGE_CREATE', message(503));
    // It is announced in the stream of the community before its own one ends.
    const kept = [504, 503, 502, 501].map((number) => message(number));
    host.answers.set(HISTORY, () => kept);
    host.event('c:100', 'CHANNEL_CREATE', channelOf({ version: 4 }));
    host.places.delete('r:110');
    host.listener.streamClosed('r:110');
    await quiet();
    host.event('c:100', 'MESSAGE_CREATE', message(505));
    await host.clock.advance(60_000);
    expect(seen).toEqual(['501', 'old 502', '503', 'old 504', '505']);
    const read = await Promise.all(Array.from({ length: 5 }, () => reader.next()));
    expect(read.map(({ value }) => value?.id)).toEqual([501, 502, 503, 504, 505].map(idOf));
  });

  test('a channel is closed if it does not come back, which ends its readers', async () => {
    const host = connected();
    const seen = recorded(host);
    const reader = host.part.channel(CHANNEL).messages();
    host.event('c:100', 'CHANNEL_DELETE', { id: CHANNEL, community_id: idOf(100) });
    host.event('c:100', 'MESSAGE_CREATE', message(501));
    expect(seen).toEqual([]);
    await host.clock.advance(5_000);
    expect(seen).toEqual(['closed']);
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  test('shows in a page of its history what has come while the page was read', async () => {
    const host = connected();
    recorded(host);
    const { promise, resolve } = deferred<readonly ChannelMessage[]>();
    host.answers.set(HISTORY, () => promise);
    const page = host.part.channel(CHANNEL).history({ limit: 3 });
    await quiet();
    host.event('c:100', 'MESSAGE_DELETE', { channel_id: CHANNEL, id: idOf(499) });
    host.event('c:100', 'MESSAGE_UPDATE', message(500, { content: 'newer', version: 2 }));
    host.event('c:100', 'MESSAGE_UPDATE', message(498, { content: 'older', version: 2 }));
    host.event('c:100', 'PIN_ADD', { channel_id: CHANNEL, message_id: idOf(500) });
    const newest = message(498, { content: 'the newest', version: 3 });
    resolve([message(500), message(499), newest]);
    expect((await page).map(({ content, pinned }) => [content, pinned])).toEqual([
      ['newer', true],
      ['the newest', undefined],
    ]);
    expect(host.asked).toEqual([`${HISTORY}?limit=3`]);
    // What a page has shown is read again after a loss, too.
    host.answers.set(HISTORY, () => [message(500, { content: 'changed', version: 3 })]);
    const seen = recorded(host);
    host.resumed('c:100');
    await quiet();
    expect(seen).toEqual(['500: changed', '-498']);
  });

  const joined = (more: Partial<OwnCommunity> = {}) =>
    ownCommunity({ channels: [stubOf({ last_id: idOf(500) })], ...more });

  test.each([
    ['the community is known before its stream begins', true],
    ['the stream begins before the community is known', false],
  ])(
    'a channel has what came while a person joined who listens to it already, if %s',
    async (_, isFirst) => {
      const host = fakeHost();
      host.places.set('u:1', { epoch: 'e', s: 5 });
      host.ready();
      const seen = recorded(host);
      const kept = [message(502), message(501), message(500)];
      host.answers.set(HISTORY, () => kept);
      host.answers.set('GET /users/me/communities/100', () => joined());
      const join = () => host.event('u:1', 'COMMUNITY_CREATE', joined());
      if (isFirst) join();
      host.places.set('c:100', { epoch: 'e', s: 10 });
      host.listener.streamOpened('c:100', { epoch: 'e', s: 10 });
      host.event('c:100', 'MESSAGE_CREATE', message(502));
      if (!isFirst) join();
      host.event('c:100', 'MESSAGE_CREATE', message(503));
      await quiet();
      expect(seen).toEqual(['old 501', isFirst ? '502' : 'old 502', '503']);
      expect(host.asked.filter((line) => line.startsWith(HISTORY))).toHaveLength(1);
    },
  );

  test('that nobody has asked for begins with what comes when it can be seen', async () => {
    const host = connected();
    const seen: string[] = [];
    host.part.channel(idOf(112)).on('message', ({ id }) => void seen.push(id));
    host.places.set('r:112', { epoch: 'e', s: 7 });
    host.listener.streamOpened('r:112', { epoch: 'e', s: 7 });
    host.event('r:112', 'MESSAGE_CREATE', message(700, { channel_id: idOf(112) }));
    await quiet();
    expect(seen).toEqual(['700']);
    expect(host.asked).toEqual(['GET /channels/112']);
  });

  test('a channel is followed only while somebody listens', () => {
    const host = connected();
    const seen: string[] = [];
    const off = host.part.channel(CHANNEL).on('message', ({ id }) => void seen.push(id));
    host.event('c:100', 'MESSAGE_CREATE', message(501));
    off();
    off();
    host.event('c:100', 'MESSAGE_CREATE', message(502));
    recorded(host);
    expect(host.part.channel(CHANNEL).isCurrent).toBe(true);
    expect(seen).toEqual(['501']);
  });
});

test('[SE14][SE15] a channel and a community are searched, and a page that is full names the next one', async () => {
  const host = connected();
  host.answers.set('GET /search', () => [message(503), message(502, { channel_id: idOf(111) })]);
  const channel = host.part.channel(CHANNEL);
  const page = await channel.search({ text: 'eve', from: 'ada', limit: 2 });
  expect(page.messages.map(({ id, channel_id }) => [id, channel_id])).toEqual([
    [idOf(503), CHANNEL],
    [idOf(502), idOf(111)],
  ]);
  expect(page.next).toBe(idOf(502));
  const all = await host.part.communities.searchMessages(idOf(100), { has: 'file' });
  expect([all.messages.length, all.next]).toEqual([2, undefined]);
  expect(host.asked).toEqual([
    'GET /search?q=eve&in=110&from=ada&limit=2',
    'GET /search?community=100&has=file&limit=50',
  ]);
});

describe('[SK38] a message', () => {
  test('a message is sent with a nonce, and names what it replies to', async () => {
    const host = connected();
    const bodies: unknown[] = [];
    host.answers.set('POST /channels/110/messages', (body) => {
      bodies.push(JSON.parse(body));
      return message(501, { user: ME });
    });
    const channel = host.part.channel(CHANNEL);
    await channel.send('hello');
    await channel.reply({ id: idOf(500) }, { content: 'yes', nonce: 'n' });
    expect(bodies).toEqual([
      { content: 'hello', nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { content: 'yes', nonce: 'n', reply_to: '500' },
    ]);
  });

  test('a message is own if the person who is signed in has posted it, on any device', () => {
    const host = connected();
    const own: boolean[] = [];
    host.part.channel(CHANNEL).on('message', ({ isOwn }) => void own.push(isOwn));
    host.event('c:100', 'MESSAGE_CREATE', message(501, { user: ME }));
    host.event('c:100', 'MESSAGE_CREATE', message(502));
    expect(own).toEqual([true, false]);
  });
});

test('[SK37] that somebody writes is sent at most every 5 seconds', async () => {
  const host = connected();
  host.answers.set('POST /channels/110/typing', () => ({}));
  const channel = host.part.channel(CHANNEL);
  await Promise.all([channel.typing(), channel.typing()]);
  await host.clock.advance(5_000);
  await channel.typing();
  expect(host.asked).toHaveLength(2);
});
