import type { Id, OwnCommunity } from '@hearth/protocol';
import { manualClock } from '@hearth/testing/manual-clock';
import { describe, expect, test } from 'bun:test';
import {
  channelOf,
  idOf,
  ME,
  memberOf,
  ownCommunity,
  plainCommunity,
  roleOf,
  stubOf,
} from '../../test/support/communities.ts';
import { deferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import { NetworkError, NotFoundError } from '../errors.ts';
import type { CommunityEvents } from './events.ts';
import { CommunityStore } from './store.ts';

const GARDEN = idOf(100);
const CHANNEL = idOf(110);

function storeTest(answer: () => Promise<OwnCommunity> = async () => ownCommunity()) {
  const events = new Emitter<CommunityEvents>();
  const clock = manualClock();
  const life = new AbortController();
  const reads: Id[] = [];
  const reported: string[] = [];
  const forgotten: Id[] = [];
  events.on('community', ({ id, version }) => void reported.push(`community ${id} v${version}`));
  events.on('communityRemoved', ({ id, reason }) => void reported.push(`removed ${id} ${reason}`));
  events.on('channel', ({ id, name }) => void reported.push(`channel ${id} ${name}`));
  events.on('channelRemoved', ({ id }) => void reported.push(`channel removed ${id}`));
  const store = new CommunityStore({
    events,
    clock,
    random: () => 0.5,
    life: life.signal,
    ownId: () => ME.id,
    onForgotten: (ids) => void forgotten.push(...ids),
    onBegun: () => undefined,
    readOwn(id) {
      reads.push(id);
      return answer();
    },
  });
  return { store, clock, life, reads, reported, forgotten };
}

/** A place in a stream, which the store ignores. */
const at = { t: 'c:100', s: 1 } as const;

describe('[SK32] the communities of the person who is signed in', () => {
  test('communities are those of READY, each with its roles, its channels in order and permissions as sets', () => {
    const { store, reported } = storeTest();
    expect(store.isLoaded).toBe(false);
    const category = stubOf({ id: idOf(111), kind: 'category', name: 'plants', position: 0 });
    const inside = stubOf({ id: idOf(112), category_id: idOf(111), name: 'trees', position: 1 });
    const last = stubOf({ id: idOf(113), name: 'weather', position: 5, permissions: ['VIEW'] });
    const roles = [
      roleOf({ id: idOf(121), position: 2 }),
      roleOf({ id: GARDEN, position: 0 }),
      roleOf({ id: idOf(120), position: 1 }),
    ];
    store.load([ownCommunity({ channels: [inside, category, last, stubOf()], roles })]);
    const garden = store.get(GARDEN);
    expect(store.isLoaded).toBe(true);
    expect(garden?.channels.map(({ name }) => name)).toEqual([
      'general',
      'weather',
      'plants',
      'trees',
    ]);
    expect(garden?.roles.map(({ id }) => id)).toEqual([GARDEN, idOf(120), idOf(121)]);
    expect(garden?.permissions.has('SEND_MESSAGES')).toBe(true);
    expect(store.channel(CHANNEL)?.permissions.has('SEND_MESSAGES')).toBe(true);
    expect(store.channel(idOf(113))?.permissions).toEqual(new Set(['VIEW']));
    expect(reported).toEqual(['community 100 v1']);
  });

  test('communities are removed if READY no longer has them, and all when somebody else signs in', () => {
    const { store, reported } = storeTest();
    store.load([ownCommunity(), ownCommunity({ id: idOf(200), channels: [] })]);
    store.load([ownCommunity()]);
    expect(store.all().map(({ id }) => id)).toEqual([GARDEN]);
    store.clear();
    expect(store.all()).toEqual([]);
    expect(store.isLoaded).toBe(false);
    expect(reported.slice(2)).toEqual([
      'removed 200 undefined',
      'community 100 v1',
      'removed 100 signed_out',
    ]);
  });

  test('change with events, each version once, and applying one twice does no harm', () => {
    const { store, reported } = storeTest();
    store.load([ownCommunity()]);
    reported.length = 0;
    const second = {
      op: 'COMMUNITY_UPDATE',
      ...at,
      d: plainCommunity({ version: 2, name: 'Park' }),
    } as const;
    store.apply(second);
    store.apply(second);
    store.apply({ ...second, d: plainCommunity({ version: 1, name: 'Old' }) });
    expect(store.get(GARDEN)?.name).toBe('Park');
    store.apply({ op: 'ROLE_CREATE', ...at, d: roleOf({ version: 3, name: 'new' }) });
    store.apply({ op: 'ROLE_UPDATE', ...at, d: roleOf({ version: 2, name: 'old' }) });
    expect(store.get(GARDEN)?.roles.map(({ name }) => name)).toEqual(['everyone', 'new']);
    store.apply({ op: 'CHANNEL_UPDATE', ...at, d: channelOf({ version: 5, topic: 'roses' }) });
    store.apply({ op: 'CHANNEL_UPDATE', ...at, d: channelOf({ version: 4, topic: 'weeds' }) });
    expect(store.channel(CHANNEL)?.details?.topic).toBe('roses');
    const removal = {
      op: 'CHANNEL_DELETE',
      ...at,
      d: { id: CHANNEL, community_id: GARDEN },
    } as const;
    store.apply(removal);
    store.apply(removal);
    expect(store.channel(CHANNEL)).toBeUndefined();
    expect(reported).toEqual([
      'community 100 v2',
      'community 100 v2',
      'channel 110 general',
      'channel removed 110',
    ]);
  });

  test('communities come and go', () => {
    const { store, reported } = storeTest();
    store.load([]);
    store.apply({ op: 'COMMUNITY_CREATE', ...at, d: ownCommunity() });
    store.apply({ op: 'MEMBER_LEAVE', ...at, d: { community_id: GARDEN, reason: 'kicked' } });
    store.apply({ op: 'COMMUNITY_CREATE', ...at, d: ownCommunity() });
    store.apply({ op: 'COMMUNITY_DELETE', ...at, d: { id: GARDEN } });
    store.apply({ op: 'COMMUNITY_DELETE', ...at, d: { id: GARDEN } });
    expect(reported).toEqual([
      'community 100 v1',
      'removed 100 kicked',
      'community 100 v1',
      'removed 100 deleted',
    ]);
  });

  test('that are gone when they are read are reported again with the reason, once it comes', async () => {
    const gone = () => Promise.reject(new NotFoundError('gone'));
    const { store, clock, reported } = storeTest(gone);
    store.load([ownCommunity()]);
    store.refresh(GARDEN);
    await clock.advance(300);
    const kicked = { community_id: GARDEN, reason: 'kicked' } as const;
    store.apply({ op: 'MEMBER_LEAVE', ...at, d: kicked });
    store.apply({ op: 'MEMBER_LEAVE', ...at, d: kicked });
    expect(reported).toEqual(['community 100 v1', 'removed 100 undefined', 'removed 100 kicked']);
    // It does not concern the next person.
    store.load([ownCommunity()]);
    store.load([]);
    store.clear();
    store.apply({ op: 'MEMBER_LEAVE', ...at, d: kicked });
    expect(reported.slice(3)).toEqual(['community 100 v1', 'removed 100 undefined']);
  });

  test('communities keep the newest message of each channel', () => {
    const { store } = storeTest();
    store.load([ownCommunity({ channels: [stubOf({ last_id: idOf(500) })] })]);
    expect([store.posted(CHANNEL, idOf(501)), store.posted(CHANNEL, idOf(500))]).toEqual([
      true,
      false,
    ]);
    store.apply({ op: 'CHANNEL_UPDATE', ...at, d: channelOf({ last_id: idOf(499) }) });
    expect(store.lastId(CHANNEL)).toBe(idOf(501));
    expect(store.posted(idOf(7), idOf(501))).toBe(false);
  });
});

describe('[SK33] a community is read again', () => {
  test('after its stream has begun, and if COMMUNITY_CREATE may be older than what is known', async () => {
    const name = 'as it is now';
    const { store, clock, reads, forgotten } = storeTest(async () => ownCommunity({ name }));
    store.load([]);
    store.begin(GARDEN);
    await clock.advance(300);
    expect(store.get(GARDEN)?.name).toBe(name);
    store.apply({ op: 'COMMUNITY_CREATE', ...at, d: ownCommunity({ channels: [] }) });
    expect(store.channel(CHANNEL)?.name).toBe('general');
    await clock.advance(300);
    expect(reads).toEqual([GARDEN, GARDEN]);
    expect(store.get(GARDEN)?.channels).toHaveLength(1);
    forgotten.length = 0;
    store.remove(GARDEN, 'left');
    expect(forgotten).toEqual([CHANNEL]);
  });

  test('once, after changes of the own membership, of own roles and of overwrites that come together', async () => {
    const { store, clock, reads } = storeTest(async () =>
      ownCommunity({ permissions: ['VIEW'], channels: [stubOf({ permissions: [] })] }),
    );
    store.load([ownCommunity()]);
    store.apply({ op: 'MEMBER_UPDATE', t: 'u:1', s: 1, d: memberOf({ nickname: 'A.' }) });
    const everyone = roleOf({ id: GARDEN, version: 2, permissions: [] });
    store.apply({ op: 'ROLE_UPDATE', ...at, d: everyone });
    store.apply({ op: 'CHANNEL_UPDATE', ...at, d: channelOf({ overwrites: [] }) });
    expect(reads).toEqual([]);
    await clock.advance(300);
    expect(reads).toEqual([GARDEN]);
    expect([...(store.get(GARDEN)?.permissions ?? [])]).toEqual(['VIEW']);
    expect(store.channel(CHANNEL)?.permissions.size).toBe(0);
    // The answer is older than the event.
    expect(store.get(GARDEN)?.membership.nickname).toBe('A.');
    await clock.advance(10_000);
    expect(reads).toHaveLength(1);
  });

  test('not after changes that concern others, or names alone', async () => {
    const { store, clock, reads } = storeTest();
    const roles = [roleOf({ id: GARDEN, position: 0 }), roleOf()];
    store.load([ownCommunity({ roles })]);
    store.apply({ op: 'ROLE_UPDATE', ...at, d: roleOf({ version: 2, permissions: ['BAN'] }) });
    store.apply({ op: 'ROLE_UPDATE', ...at, d: roleOf({ id: GARDEN, version: 2, name: 'all' }) });
    store.apply({ op: 'COMMUNITY_UPDATE', ...at, d: plainCommunity({ version: 2 }) });
    const other = memberOf({ user: { id: idOf(3), username: 'cleo' } });
    store.apply({ op: 'MEMBER_UPDATE', ...at, d: other });
    await clock.advance(1_000);
    expect(reads).toEqual([]);
    store.apply({
      op: 'COMMUNITY_UPDATE',
      ...at,
      d: plainCommunity({ version: 3, owner_id: ME.id }),
    });
    await clock.advance(1_000);
    expect(reads).toEqual([GARDEN]);
  });

  test('again if it changes meanwhile, and what changed meanwhile is not undone by the answer', async () => {
    const answers: ((own: OwnCommunity) => void)[] = [];
    const { store, clock, reads } = storeTest(() => {
      const { promise, resolve } = deferred<OwnCommunity>();
      answers.push(resolve);
      return promise;
    });
    store.load([ownCommunity({ channels: [stubOf(), stubOf({ id: idOf(114), name: 'old' })] })]);
    store.refresh(GARDEN);
    await clock.advance(300);
    store.apply({ op: 'CHANNEL_CREATE', ...at, d: channelOf({ id: idOf(115), name: 'new' }) });
    const removed = { id: idOf(114), community_id: GARDEN };
    store.apply({ op: 'CHANNEL_DELETE', ...at, d: removed });
    store.apply({ op: 'CHANNEL_UPDATE', ...at, d: channelOf({ version: 9, name: 'renamed' }) });
    answers[0]?.(ownCommunity({ channels: [stubOf(), stubOf({ id: idOf(114), name: 'old' })] }));
    await clock.advance(0);
    expect(store.get(GARDEN)?.channels.map(({ name }) => name)).toEqual(['renamed', 'new']);
    await clock.advance(300);
    expect(reads).toHaveLength(2);
    const [renamed, added] = [stubOf({ name: 'renamed' }), stubOf({ id: idOf(115), name: 'new' })];
    answers[1]?.(ownCommunity({ channels: [renamed, { ...added, permissions: ['VIEW'] }] }));
    await clock.advance(300);
    expect(store.channel(idOf(115))?.permissions).toEqual(new Set(['VIEW']));
    expect(reads).toHaveLength(2);
  });

  test('after failures that may pass, and is removed if it is not there any more', async () => {
    let failures = 2;
    const { store, clock, reads, reported } = storeTest(async () => {
      failures -= 1;
      throw failures >= 0 ? new NetworkError('no') : new NotFoundError('no');
    });
    store.load([ownCommunity()]);
    store.refresh(GARDEN);
    await clock.advance(5_000);
    expect(reads).toHaveLength(3);
    expect(reported.at(-1)).toBe('removed 100 undefined');
    expect(clock.timers).toBe(0);
  });

  test('when a time-out of the person ends, and no timer outlives the client', async () => {
    const { store, clock, life, reads } = storeTest();
    const until = clock.now() + 60_000;
    const membership = { ...ownCommunity().membership, timed_out_until: until };
    store.load([ownCommunity({ membership })]);
    await clock.advance(59_000);
    expect(reads).toEqual([]);
    await clock.advance(2_000);
    expect(reads).toEqual([GARDEN]);
    store.load([ownCommunity({ membership: { ...membership, timed_out_until: until + 60_000 } })]);
    store.refresh(GARDEN);
    expect(clock.timers).toBe(2);
    life.abort();
    expect(clock.timers).toBe(0);
  });
});
