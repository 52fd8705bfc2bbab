import { describe, expect, test } from 'bun:test';
import { idOf, memberOf, ownCommunity } from '../../test/support/communities.ts';
import { fakeHost } from '../../test/support/fake-host.ts';

const CHANNEL = idOf(110);
const GARDEN = idOf(100);

const watchOf = (d: object) => ({
  op: 'WATCH',
  d: { channels: [], communities: [], users: [], posts: [], ...d },
});

test('[SK35] a community that was joined after READY is known, even if its events were lost', async () => {
  const host = fakeHost();
  host.answers.set('GET /users/me/communities/100', () => ownCommunity());
  host.ready();
  host.places.set('c:100', { epoch: 'e', s: 1 });
  host.resumed('c:100');
  await host.clock.advance(1_000);
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(host.part.communities.get(GARDEN)?.name).toBe('Garden');
});

test('[SK32] a community that the person deletes is theirs no longer when the request ends', async () => {
  const host = fakeHost();
  host.answers.set('DELETE /communities/100', () => ({}));
  host.ready({ communities: [ownCommunity()] });
  const removed: unknown[] = [];
  host.on('communityRemoved', ({ reason }) => void removed.push(reason));
  await host.part.communities.remove(GARDEN, { slug: 'garden', current_password: 'x' });
  expect(host.part.communities.all()).toEqual([]);
  expect(removed).toEqual(['deleted']);
});

describe('[SK39] what is watched', () => {
  test('the payload is sent when the gateway is open, again after each connection, and never without a change', async () => {
    const host = fakeHost();
    host.part.watch({ channels: [CHANNEL] });
    expect(host.sent).toEqual([]);
    host.ready();
    expect(host.sent).toEqual([watchOf({ channels: [CHANNEL] })]);
    host.part.watch({ channels: [CHANNEL] });
    await host.clock.advance(60_000);
    expect(host.sent).toHaveLength(1);
    host.listener.left();
    host.resumed();
    expect(host.sent.splice(1)).toEqual([watchOf({ channels: [CHANNEL] })]);
    host.listener.left();
    host.part.watch({ channels: [CHANNEL], communities: [GARDEN] });
    await host.clock.advance(60_000);
    expect(host.sent).toHaveLength(1);
    host.resumed();
    expect(host.sent[1]).toEqual(watchOf({ channels: [CHANNEL], communities: [GARDEN] }));
    host.part.watch({});
    await host.clock.advance(2_000);
    expect(host.sent[2]).toEqual(watchOf({}));
    host.listener.left();
    host.resumed();
    await host.clock.advance(60_000);
    expect(host.sent).toHaveLength(3);
  });

  test('the payload is sent at most every 2 seconds, and later if the gateway ignores it', async () => {
    const host = fakeHost();
    host.ready();
    host.part.watch({ channels: [CHANNEL] });
    host.part.watch({ communities: [GARDEN] });
    host.part.watch({ users: [idOf(2)] });
    expect(host.sent).toHaveLength(1);
    await host.clock.advance(2_000);
    expect(host.sent.slice(1)).toEqual([watchOf({ users: [idOf(2)] })]);
    host.listener.limited(7_000);
    await host.clock.advance(6_999);
    expect(host.sent).toHaveLength(2);
    await host.clock.advance(1);
    expect(host.sent[2]).toEqual(watchOf({ users: [idOf(2)] }));
  });

  test('everything watched is forgotten when somebody else signs in, and no timer outlives the client', async () => {
    const host = fakeHost();
    host.ready();
    host.part.watch({ channels: [CHANNEL] });
    host.listener.forgotten();
    host.ready();
    await host.clock.advance(10_000);
    expect(host.sent).toHaveLength(1);
    host.part.watch({ channels: [CHANNEL] });
    host.part.watch({ communities: [GARDEN] });
    expect(host.clock.timers).toBe(1);
    host.end();
    expect(host.clock.timers).toBe(0);
  });

  test('the payload is sent again when the stream of a watched community ends, as after leaving a public one', async () => {
    const host = fakeHost();
    host.ready();
    host.part.watch({ communities: [GARDEN] });
    await host.clock.advance(2_000);
    host.listener.streamClosed('c:999');
    expect(host.sent).toHaveLength(1);
    host.listener.streamClosed('c:100');
    expect(host.sent.slice(1)).toEqual([watchOf({ communities: [GARDEN] })]);
    host.part.watch({});
    await host.clock.advance(2_000);
    host.listener.streamClosed('c:100');
    await host.clock.advance(60_000);
    expect(host.sent).toHaveLength(3);
  });

  test('[SK39][GC20] everything watched is reported by events', () => {
    const host = fakeHost();
    host.ready();
    const seen: unknown[] = [];
    host.on('watched', ({ communities }) => void seen.push(communities));
    host.on('typing', ({ user }) => void seen.push(`${user.username} writes`));
    host.on('presence', ({ status }) => void seen.push(status));
    host.on('member', ({ nickname }) => void seen.push(nickname));
    host.on('memberRemoved', ({ user_id: id }) => void seen.push(`${id} has left`));
    host.on('user', ({ username }) => void seen.push(username));
    const user = { id: idOf(2), username: 'brendan' };
    host.watched('WATCHED', { channels: [], posts: [], users: [], communities: [] });
    host.watched('TYPING', { channel_id: CHANNEL, user });
    host.watched('PRESENCE', { user_id: idOf(2), status: 'idle' });
    host.watched('MEMBER_CREATE', memberOf({ user, nickname: 'Bren' }));
    host.watched('MEMBER_UPDATE', memberOf({ user, nickname: 'Brendan' }));
    host.watched('MEMBER_DELETE', { community_id: GARDEN, user_id: idOf(2) });
    host.watched('USER_UPDATE', { id: idOf(2), username: 'deleted', deleted: true });
    host.watched('USER_UPDATE', { username: 'nobody' });
    host.watched('TYPING', { channel_id: 7 });
    host.watched('WAVING', {});
    expect(seen).toEqual([
      [],
      'brendan writes',
      'idle',
      'Bren',
      'Brendan',
      '2 has left',
      'deleted',
    ]);
  });
});
