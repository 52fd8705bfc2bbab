import { describe, expect, test } from 'bun:test';
import { idOf, memberOf } from '../../test/support/communities.ts';
import { fakeHost } from '../../test/support/fake-host.ts';

const CHANNEL = idOf(110);
const GARDEN = idOf(100);

const watchOf = (d: object) => ({
  op: 'WATCH',
  d: { channels: [], communities: [], users: [], posts: [], ...d },
});

describe('[SK39] what is watched', () => {
  test('is sent when the gateway is open, again after each connection, and never without a change', async () => {
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

  test('is sent at most every 2 seconds, and later if the gateway ignores it', async () => {
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

  test('is forgotten when somebody else signs in, and no timer outlives the client', async () => {
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

  test('is reported by events', () => {
    const host = fakeHost();
    host.ready();
    const seen: unknown[] = [];
    host.on('watched', ({ communities }) => void seen.push(communities));
    host.on('typing', ({ user }) => void seen.push(`${user.username} writes`));
    host.on('presence', ({ status }) => void seen.push(status));
    host.on('member', ({ nickname }) => void seen.push(nickname));
    host.on('memberRemoved', ({ user_id: id }) => void seen.push(`${id} has left`));
    const user = { id: idOf(2), username: 'brendan' };
    host.watched('WATCHED', { channels: [], posts: [], users: [], communities: [] });
    host.watched('TYPING', { channel_id: CHANNEL, user });
    host.watched('PRESENCE', { user_id: idOf(2), status: 'idle' });
    host.watched('MEMBER_CREATE', memberOf({ user, nickname: 'Bren' }));
    host.watched('MEMBER_UPDATE', memberOf({ user, nickname: 'Brendan' }));
    host.watched('MEMBER_DELETE', { community_id: GARDEN, user_id: idOf(2) });
    host.watched('TYPING', { channel_id: 7 });
    host.watched('WAVING', {});
    expect(seen).toEqual([[], 'brendan writes', 'idle', 'Bren', 'Brendan', '2 has left']);
  });
});
