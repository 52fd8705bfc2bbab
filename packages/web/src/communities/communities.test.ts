import { failureOf } from '@hearth/testing/failure-of';
import { expect, test } from 'bun:test';
import { NotFoundError } from '@hearth/sdk';
import { channel, FakeCommunities, garden, idOf } from '../../test/support/fake-communities.ts';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { KeptPlaces } from './kept-places.ts';
import { nextUnread } from './next-unread.ts';
import { openingChannel } from './paths.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A request whose end a test decides. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { request: () => promise, resolve, reject };
}

test('[WC131] a slug that one may not see shows the same as one that does not exist', async () => {
  const { store } = new FakeCommunities({
    findBySlug: () => Promise.reject(new NotFoundError('nothing')),
  });
  expect(store.shown.at('secret').state).toBe('loading');
  await store.shown.visit('secret');
  expect(store.shown.at('secret')).toEqual({ state: 'there', value: undefined });
  expect(store.shown.isNothing('secret')).toBe(true);
});

test('[WC131] a community that cannot be loaded can be tried again', async () => {
  const answers = [() => Promise.reject(new Error('away')), () => Promise.resolve(garden())];
  const { store } = new FakeCommunities({
    findBySlug: () => (answers.shift() ?? answers[0])?.() ?? Promise.reject(new Error('no')),
    channelsOf: () => Promise.resolve([]),
  });
  await store.shown.visit('garden');
  expect(store.shown.at('garden').state).toBe('failed');
  await store.shown.visit('garden');
  expect(store.shown.nameAt('garden')).toBe('Lantern Garden');
});

test('[WC136][WC136a] marking as read shows at once, and says if it failed', async () => {
  const marking = held();
  const { store, news } = new FakeCommunities({ markRead: marking.request });
  const community = garden();
  news.communities.value = [community];
  news.marks.value = new Map([[idOf('2'), { isUnread: true, mentions: 1 }]]);
  expect(store.marks.of(community)).toEqual({ isUnread: true, mentions: 1 });
  void store.marks.markRead(community);
  expect(store.marks.of(community)).toEqual({ isUnread: false, mentions: 0 });
  marking.reject(new Error('away'));
  await settled();
  expect(store.marks.of(community).mentions).toBe(1);
  expect(store.failure.value).toEqual(new Error('away'));
});

test('[WC65] mentions in all channels are counted together, but those of channels that are gone', () => {
  const { store, news } = new FakeCommunities();
  news.communities.value = [garden()];
  news.marks.value = new Map(
    ['2', '3', '4'].map((id) => [idOf(id), { isUnread: true, mentions: 2 }]),
  );
  expect(store.mentions.value).toBe(4);
});

test('[WC136][WC136a] muting shows at once, and is taken back if it failed', async () => {
  const muting = held();
  const { store, news } = new FakeCommunities({ chooseForChannel: muting.request });
  const community = garden();
  const [general] = community.channels;
  if (general === undefined) throw new Error('there is no channel');
  news.communities.value = [community];
  news.marks.value = new Map([[general.id, { isUnread: true, mentions: 0 }]]);
  void store.choices.mute(general, true);
  expect([store.choices.isMuted(community, general), store.marks.of(community).isUnread]).toEqual([
    true,
    false,
  ]);
  muting.reject(new Error('away'));
  await settled();
  expect(store.choices.isMuted(community, general)).toBe(false);
});

test('[WC136][WC136a] who leaves a community sees it go at once, and come back if it failed', async () => {
  const leaving = held();
  const { store, news } = new FakeCommunities({ leave: leaving.request });
  const community = garden();
  news.communities.value = [community];
  void store.leave(community);
  expect(store.own.value).toEqual([]);
  leaving.reject(new Error('away'));
  await settled();
  expect(store.own.value).toEqual([community]);
});

test('[WC136] who has left a community and joins it again has it again', async () => {
  const { store, news } = new FakeCommunities({
    leave: () => {
      news.communities.value = [];
      return Promise.resolve();
    },
  });
  const community = garden();
  news.communities.value = [community];
  await store.leave(community);
  expect(store.own.value).toEqual([]);
  news.communities.value = [community];
  expect(store.own.value).toEqual([community]);
});

test('[WC136] a channel is marked as read also if no message was there when it was listed', async () => {
  const marked: string[] = [];
  const { store } = new FakeCommunities({
    markChannelRead: (id) => Promise.resolve(marked.push(id)),
  });
  const { last_id: _none, ...empty } = channel('2', 'general');
  await store.marks.markChannelRead(empty);
  expect(marked).toEqual(['2']);
});

test('[WC151] why somebody has a community no more is known, also after they have been informed', () => {
  const { store, news } = new FakeCommunities();
  const { slug, name } = garden();
  const removed = { slug, name, reason: 'kicked' } as const;
  news.removed.value = new Map([[idOf('1'), removed]]);
  expect(store.removals.unseen.value).toBe(removed);
  expect(store.removals.at('Garden')).toBe(removed);
  expect(store.removals.at('orchard')).toBeUndefined();
  store.removals.see(removed);
  expect(store.removals.unseen.value).toBeUndefined();
  expect(store.removals.at('garden')).toBe(removed);
  // They have joined it again, and were banned then.
  news.removed.value = new Map();
  expect(store.removals.at('garden')).toBeUndefined();
  news.removed.value = new Map([[idOf('1'), { slug, name, reason: 'banned' }]]);
  expect(store.removals.unseen.value?.reason).toBe('banned');
});

test('[WC151] nobody is informed of what they have left or deleted here', async () => {
  const leaving = held();
  const community = garden();
  const { slug, name } = community;
  const { store, news } = new FakeCommunities({
    leave: leaving.request,
    delete: () => Promise.reject(new Error('wrong password')),
  });
  news.communities.value = [community];
  void store.leave(community);
  // The event may come before the reply.
  news.removed.value = new Map([[community.id, { slug, name, reason: 'left' }]]);
  expect(store.removals.unseen.value).toBeUndefined();
  leaving.resolve();
  await settled();
  expect([store.removals.unseen.value, store.removals.at(slug)]).toEqual([undefined, undefined]);
  const failure = await failureOf(store.delete(community, 'x'));
  expect(failure).toEqual(new Error('wrong password'));
  news.removed.value = new Map([[community.id, { slug, name, reason: 'deleted' }]]);
  expect(store.removals.at(slug)?.reason).toBe('deleted');
});

test('[WC131] the later one of two visits of a slug counts', async () => {
  const first = Promise.withResolvers<never>();
  const answers = [() => first.promise, () => Promise.resolve(garden({ deleted_at: 1 }))];
  const { store } = new FakeCommunities({
    findBySlug: () => answers.shift()?.() ?? Promise.reject(new Error('no')),
    channelsOf: () => Promise.resolve([]),
  });
  const earlier = store.shown.visit('garden');
  await store.shown.visit('garden');
  first.reject(new NotFoundError('nothing'));
  await earlier;
  expect(store.shown.nameAt('garden')).toBe('Lantern Garden');
});

test('[WC130] communities stand in the order of their names, without deleted ones', () => {
  const { store, news } = new FakeCommunities();
  news.communities.value = [
    garden({ id: idOf('5'), name: 'Zebra', slug: 'zebra' }),
    garden({ id: idOf('6'), name: 'apple', slug: 'apple' }),
    garden({ id: idOf('7'), name: 'Gone', slug: 'gone', deleted_at: 1 }),
  ];
  expect(store.own.value?.map(({ name }) => name)).toEqual(['apple', 'Zebra']);
});

test('[WC131] a community opens where the reader was last, or at its first channel', () => {
  const { kept } = new FakeCommunities();
  const community = garden();
  expect(openingChannel(community, kept)).toBe(idOf('2'));
  kept.rememberChannel(community.id, idOf('3'));
  expect(openingChannel(community, kept)).toBe(idOf('3'));
  expect(openingChannel(garden({ channels: [] }), kept)).toBeUndefined();
});

test('[WC130] folded categories stay folded', () => {
  const { kept } = new FakeCommunities();
  kept.fold(idOf('9'), true);
  expect(kept.isFolded(idOf('9'))).toBe(true);
  kept.fold(idOf('9'), false);
  expect(kept.isFolded(idOf('9'))).toBe(false);
});

test('[WC130] two windows keep what both have folded, and whether members are hidden', () => {
  const storage = new MemoryStorage();
  const [one, other] = [new KeptPlaces(storage, 'ada'), new KeptPlaces(storage, 'ada')];
  one.fold(idOf('8'), true);
  other.fold(idOf('9'), true);
  one.hideMembers(true);
  const later = new KeptPlaces(storage, 'ada');
  expect([later.isFolded(idOf('8')), later.isFolded(idOf('9')), later.hidesMembers]).toEqual([
    true,
    true,
    true,
  ]);
});

test('[WC139] Alt and an arrow go to the next unread place, round and round', () => {
  const { store, news } = new FakeCommunities();
  news.communities.value = [garden({ channels: ['2', '3', '4'].map((id) => channel(id, id)) })];
  news.marks.value = new Map([
    [idOf('2'), { isUnread: true, mentions: 0 }],
    [idOf('4'), { isUnread: false, mentions: 1 }],
  ]);
  const at = (id: string) =>
    ({ name: 'channel', params: { slug: 'garden', channel_id: id } }) as const;
  const from = (place: ReturnType<typeof at> | undefined, step: 1 | -1) =>
    nextUnread(store, { place, step, isLobbyUnread: true });
  expect(from(at('3'), 1)).toBe('/c/garden/4');
  expect(from(at('3'), -1)).toBe('/c/garden/2');
  expect(from(at('4'), 1)).toBe('/lobby');
  expect(from(undefined, -1)).toBe('/c/garden/4');
  news.marks.value = new Map();
  expect(nextUnread(store, { place: at('3'), step: 1, isLobbyUnread: false })).toBeUndefined();
});

test('[WC177] a level shows at once, is taken back if that fails, and keeps what is muted', async () => {
  const asked: unknown[] = [];
  const { store, news } = new FakeCommunities({
    chooseForChannel: (id, choice) => {
      asked.push([id, choice]);
      return Promise.reject(new Error('away'));
    },
    chooseForCommunity: async (id, choice) => void asked.push([id, choice]),
  });
  const community = garden();
  const [general] = community.channels;
  if (general === undefined) expect.unreachable();
  news.communities.value = [community];
  news.settings.value = new Map([[general.id, { level: 'none', muted_until: 5_000 }]]);
  const choosing = store.choices.chooseLevel(general, 'all');
  expect(store.choices.levelOf(general)).toBe('all');
  await choosing;
  expect([store.choices.levelOf(general), store.failure.value]).toEqual([
    'none',
    new Error('away'),
  ]);
  await store.choices.chooseLevel(community, undefined);
  expect(asked).toEqual([
    [general.id, { level: 'all', muted_until: 5_000 }],
    [community.id, {}],
  ]);
});

test('[WC177] what is muted and which level is chosen keep each other while the instance has not agreed', async () => {
  const asked: unknown[] = [];
  const choosing = held();
  const { store, news } = new FakeCommunities({
    chooseForChannel: (_, choice) => {
      asked.push(choice);
      return choosing.request();
    },
  });
  const community = garden();
  const [general] = community.channels;
  if (general === undefined) expect.unreachable();
  news.communities.value = [community];
  void store.choices.chooseLevel(general, 'all');
  void store.choices.mute(general, true);
  void store.choices.chooseLevel(general, 'none');
  const muted = { muted_until: expect.any(Number) };
  expect(asked).toEqual([
    { level: 'all' },
    { level: 'all', ...muted },
    { level: 'none', ...muted },
  ]);
  choosing.resolve();
  await settled();
});

test('[WC177] the level that was chosen last is shown until the instance has agreed to it', async () => {
  const [first, second] = [held(), held()];
  const answers = [first, second];
  const { store, news } = new FakeCommunities({
    chooseForChannel: () => answers.shift()?.request() ?? Promise.resolve(),
  });
  const community = garden();
  const [general] = community.channels;
  if (general === undefined) expect.unreachable();
  news.communities.value = [community];
  void store.choices.chooseLevel(general, 'all');
  void store.choices.chooseLevel(general, 'none');
  first.resolve();
  await settled();
  expect(store.choices.levelOf(general)).toBe('none');
  second.resolve();
  await settled();
  expect(store.choices.levelOf(general)).toBeUndefined();
});
