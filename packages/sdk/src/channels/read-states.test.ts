import {
  firstIdAt,
  firstMark,
  parseId,
  type ChannelMessage,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { describe, expect, test } from 'bun:test';
import {
  idOf,
  ME,
  memberOf,
  messageOf,
  ownCommunity,
  roleOf,
  stubOf,
} from '../../test/support/communities.ts';
import { fakeHost, GARDEN_PLACES, type FakeHost } from '../../test/support/fake-host.ts';

const CHANNEL = idOf(110);
const JOINED_MS = 1_700_000_000_000;
const FIRST = BigInt(firstIdAt(JOINED_MS));

/** The `number`th id after the person became a member. */
function id(number: number): Id {
  const found = parseId(String(FIRST + BigInt(number)));
  if (found === undefined) throw new Error('an identifier');
  return found;
}

function connected(lastId = id(500)): FakeHost {
  const host = fakeHost();
  for (const [stream, place] of GARDEN_PLACES) host.places.set(stream, place);
  const membership = { role_ids: [idOf(120)], joined_at: JOINED_MS, version: 1 };
  const roles = [roleOf({ id: idOf(100), position: 0 }), roleOf()];
  const channels = [stubOf({ last_id: lastId })];
  const read_states = [{ channel_id: CHANNEL, last_read_id: id(499), mentions: 1 }];
  host.ready({ communities: [ownCommunity({ channels, membership, roles })], read_states });
  return host;
}

const stateOf = ({ part }: FakeHost) => {
  const { last_read_id: readId, isUnread, mentions } = part.channel(CHANNEL).readState;
  return [readId, isUnread, mentions];
};

function post(host: FakeHost, number: number, more: Partial<ChannelMessage> = {}): void {
  host.event('c:100', 'MESSAGE_CREATE', messageOf({ ...more, id: id(number) }));
}

describe('[SK37] a channel', () => {
  test('a channel is unread after its mark, or after the person became a member', () => {
    const host = connected();
    expect(stateOf(host)).toEqual([id(499), true, 1]);
    host.event('u:1', 'READ_UPDATE', {
      channel_id: CHANNEL,
      last_read_id: id(500),
      mentions: 0,
    });
    expect(stateOf(host)).toEqual([id(500), false, 0]);
    const fresh = fakeHost();
    const membership = { role_ids: [], joined_at: JOINED_MS, version: 1 };
    const channels = [stubOf({ last_id: id(-1) })];
    fresh.ready({ communities: [ownCommunity({ channels, membership })] });
    expect(stateOf(fresh)).toEqual([undefined, false, 0]);
    fresh.places.set('c:100', { epoch: 'e', s: 1 });
    post(fresh, 1);
    expect(stateOf(fresh)).toEqual([undefined, true, 0]);
  });

  test('new messages that mention the person are counted: by name, by a role, or all', () => {
    const host = connected();
    const marks: number[] = [];
    host.on('readState', ({ mentions }) => void marks.push(mentions));
    const mentions: unknown[] = [];
    host.on(
      'channelMessage',
      ({ isMention, isOwn }) => void mentions.push(isOwn ? 'own' : isMention),
    );
    post(host, 501);
    post(host, 502, { mentions: [ME] });
    post(host, 503, { mention_roles: [idOf(120)] });
    post(host, 504, { mention_roles: [idOf(121)], mentions: [{ id: idOf(3), username: 'cleo' }] });
    post(host, 505, { mentions_all: true });
    expect(mentions).toEqual([false, true, true, false, true]);
    expect(marks).toEqual([1, 2, 3, 3, 4]);
    host.event('c:100', 'MESSAGE_DELETE', { channel_id: CHANNEL, id: id(502) });
    host.event('c:100', 'MESSAGE_DELETE', { channel_id: CHANNEL, id: id(501) });
    expect(stateOf(host)).toEqual([id(499), true, 3]);
    // A message of one's own moves the mark.
    post(host, 506, { user: ME, mentions_all: true });
    expect(stateOf(host)).toEqual([id(506), false, 0]);
    expect(mentions.at(-1)).toBe('own');
    host.event('u:1', 'MEMBER_UPDATE', memberOf({ role_ids: [] }));
    post(host, 507, { mention_roles: [idOf(120)] });
    expect(stateOf(host)).toEqual([id(506), true, 0]);
  });

  test('messages that READY has counted are not counted again', () => {
    const host = connected();
    post(host, 500, { mentions: [ME] });
    expect(stateOf(host)).toEqual([id(499), true, 1]);
  });

  test('a channel is read at once where it is read, and the instance is informed at most every 5 seconds', async () => {
    const host = connected(id(510));
    const marks: unknown[] = [];
    host.answers.set('PUT /channels/110/read', (body) => {
      const given = JSON.parse(body) as { last_read_id: string };
      marks.push(given);
      return { channel_id: CHANNEL, last_read_id: given.last_read_id, mentions: 0 };
    });
    const channel = host.part.channel(CHANNEL);
    const first = channel.markRead(id(501));
    expect(stateOf(host)).toEqual([id(501), true, 0]);
    await first;
    const second = channel.markRead(id(503));
    void channel.markRead(id(510));
    await channel.markRead(id(502));
    // The event about the first mark comes late.
    host.event('u:1', 'READ_UPDATE', { channel_id: CHANNEL, last_read_id: id(501), mentions: 9 });
    expect(stateOf(host)).toEqual([id(510), false, 0]);
    expect(marks).toEqual([{ last_read_id: id(501) }]);
    await host.clock.advance(5_000);
    await second;
    expect(marks).toEqual([{ last_read_id: id(501) }, { last_read_id: id(510) }]);
    void channel.markRead(id(511)).catch(() => undefined);
    host.part.flushReadMarks();
    await host.clock.advance(0);
    expect(marks).toHaveLength(3);
    // Another device marks it as unread.
    await host.clock.advance(0);
    host.event('u:1', 'READ_UPDATE', { channel_id: CHANNEL, last_read_id: id(500), mentions: 2 });
    expect(stateOf(host)).toEqual([id(500), true, 2]);
  });

  test('a channel is unread again if the instance does not take the mark', async () => {
    const host = connected();
    await expect(host.part.channel(CHANNEL).markRead(id(500))).rejects.toMatchObject({
      status: 404,
    });
    expect(stateOf(host)).toEqual([id(499), true, 1]);
  });

  test('a channel is marked by requests that are sent again if no answer comes, and outlive the page', async () => {
    const host = connected();
    const asked: unknown[] = [];
    host.onRequest(({ path, isRepeatable }) => void asked.push([path, isRepeatable]));
    await failureOf(host.part.channel(CHANNEL).markRead(id(500)));
    expect(asked).toEqual([['/channels/:channel_id/read', true]]);
    expect(host.outliving).toEqual(['PUT /channels/110/read']);
  });

  test('a channel can be marked as unread, and whole communities as read', async () => {
    const host = connected();
    host.answers.set('PUT /channels/110/read', (body) => {
      expect(JSON.parse(body)).toEqual({ last_read_id: id(400), unread: true });
      return { channel_id: CHANNEL, last_read_id: id(400), mentions: 3 };
    });
    await host.part.channel(CHANNEL).markUnread(id(400));
    expect(stateOf(host)).toEqual([id(400), true, 3]);
    expect(host.part.communities.unread(idOf(100))).toEqual({ isUnread: true, mentions: 3 });
    const read_states = [{ channel_id: CHANNEL, last_read_id: id(500), mentions: 0 }];
    host.event('u:1', 'READ_UPDATE_MANY', { community_id: idOf(100), read_states });
    expect(host.part.communities.unread(idOf(100))).toEqual({ isUnread: false, mentions: 0 });
  });

  test('a channel has what was chosen for it, and muted ones do not make a community unread', () => {
    const host = connected();
    const nowMs = host.clock.now();
    const muted = { channel_id: CHANNEL, muted_until: nowMs + 1_000 };
    host.event('u:1', 'NOTIFICATION_SETTING_UPDATE', muted);
    expect(host.part.channel(CHANNEL).notificationSetting).toEqual(muted);
    const { communities } = host.part;
    expect(communities.unread(idOf(100), nowMs)).toEqual({ isUnread: false, mentions: 1 });
    expect(communities.unread(idOf(100), nowMs + 1_000).isUnread).toBe(true);
  });

  test('[RD19] a channel is muted with its community, and mentions in it count', () => {
    const host = connected();
    const { communities } = host.part;
    const nowMs = host.clock.now();
    const choose = (place: object, until: number) =>
      host.event('u:1', 'NOTIFICATION_SETTING_UPDATE', { ...place, muted_until: nowMs + until });
    expect(communities.isMuted(CHANNEL, nowMs)).toBe(false);
    choose({ community_id: idOf(100) }, 2_000);
    choose({ channel_id: CHANNEL }, 1_000);
    expect(communities.unread(idOf(100), nowMs + 1_000)).toEqual({ isUnread: false, mentions: 1 });
    expect(communities.isMuted(CHANNEL, nowMs + 1_000)).toBe(true);
    expect(communities.isMuted(idOf(100), nowMs + 2_000)).toBe(false);
    expect(communities.unread(idOf(100), nowMs + 2_000).isUnread).toBe(true);
  });

  test('a channel is forgotten with the membership', () => {
    const host = connected();
    host.event('u:1', 'MEMBER_LEAVE', { community_id: idOf(100), reason: 'left' });
    expect(stateOf(host)).toEqual([undefined, false, 0]);
  });

  test('a channel has been read up to the beginning of a new membership, on which the one before has no effect', async () => {
    const joined = (more: Partial<OwnCommunity> = {}) =>
      ownCommunity({
        channels: [stubOf({ last_id: id(500) })],
        membership: { role_ids: [], joined_at: JOINED_MS + 60_000, version: 1 },
        ...more,
      });
    const left = connected();
    left.event('u:1', 'MEMBER_LEAVE', { community_id: idOf(100), reason: 'left' });
    left.event('u:1', 'READ_UPDATE', { channel_id: CHANNEL, last_read_id: id(499), mentions: 0 });
    left.event('u:1', 'COMMUNITY_CREATE', joined());
    expect(stateOf(left)).toEqual([undefined, false, 0]);
    // All that was missed while the connection was away.
    const away = connected();
    away.event('u:1', 'MEMBER_UPDATE', memberOf({ joined_at: JOINED_MS, version: 5 }));
    away.ready({ communities: [joined()] });
    expect(stateOf(away)).toEqual([undefined, false, 0]);
    const continued = connected();
    continued.event('u:1', 'MEMBER_UPDATE', memberOf({ joined_at: JOINED_MS, version: 5 }));
    continued.answers.set('GET /users/me/communities/100', () => joined());
    continued.resumed('u:1', 'c:100');
    await continued.clock.advance(1_000);
    expect(stateOf(continued)).toEqual([undefined, false, 0]);
  });

  test('a channel has the mentions that came before its stream began', async () => {
    const host = fakeHost();
    host.places.set('u:1', { epoch: 'e', s: 5 });
    host.ready();
    const membership = { role_ids: [], joined_at: JOINED_MS, version: 1 };
    const joined = (last_id: Id) => ownCommunity({ channels: [stubOf({ last_id })], membership });
    host.event('u:1', 'COMMUNITY_CREATE', joined(id(-1)));
    host.answers.set('GET /users/me/communities/100', () => joined(id(3)));
    const state = { channel_id: CHANNEL, last_read_id: firstMark(JOINED_MS), mentions: 2 };
    host.answers.set('GET /users/me/read-states', () => [state]);
    host.listener.streamOpened('c:100', { epoch: 'e', s: 10 });
    await host.clock.advance(1_000);
    expect(stateOf(host)).toEqual([firstMark(JOINED_MS), true, 2]);
  });
});
