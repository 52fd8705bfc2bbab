import {
  formatId,
  ID_EPOCH_SECONDS,
  NotFoundError,
  ValidationError,
  type Id,
  type OwnCommunity,
  type Post,
  type PostQuery,
} from '@hearth/protocol';
import { postQuerySchema } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import {
  removePosts,
  writePosts,
  writeVotes,
  type WrittenPost,
} from '@hearth/testing/listed-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Actor, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Page } from '../../../page.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { listChannelPosts, listCommunityPosts, listFeed } from './list-posts.ts';
import { listUserPosts } from './list-user-posts.ts';
import { MOST_CANDIDATES } from './make-order.ts';
import { makePeriodLists } from './make-period-lists.ts';
import { MAKE_PERIOD_LISTS } from './period-lists.ts';
import { sweepPostOrders } from './post-orders.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ATTEMPT = { id: 'a', number: 1, signal: new AbortController().signal };

onEachDatabase((open) => {
  describe('lists of posts', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let news: Id;
    let sequence = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = own.ctx;
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      news = await add('news');
    });

    const add = async (name: string, community = garden) =>
      (await createChannel(ctx, ada, { community_id: community.id, kind: 'posts', name })).id;
    const hide = (id: Id, community = garden) =>
      setOverwrite(ctx, ada, {
        id,
        subject_id: community.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
    const query = (input: object = {}): PostQuery =>
      postQuerySchema.parse({
        ...input,
        ...('limit' in input ? { limit: String(input.limit) } : {}),
      });
    /** A post of some time ago. */
    const post = (input: Partial<WrittenPost> & { readonly agoMs?: number } = {}): WrittenPost => {
      const { agoMs = 0, ...rest } = input;
      const createdAtMs = own.clock.unixMs() - agoMs;
      sequence += 1;
      const seconds = Math.floor(createdAtMs / 1_000) - ID_EPOCH_SECONDS;
      const id = formatId({ seconds, instanceId: 1, sequence });
      const place = { channelId: news, communityId: garden.id, userId: ada.user_id };
      return { id, ...place, createdAtMs, ...rest };
    };
    const write = async (...posts: readonly WrittenPost[]) => {
      await writePosts(own.database, posts);
      return posts.map(({ id }) => id);
    };
    const ids = async (page: Promise<Page<Post>>): Promise<readonly (Id | undefined)[]> =>
      (await page).entries.map(({ id }) => id);
    const inNews = (input: object = {}, actor: Actor = ada) =>
      listChannelPosts(ctx, actor, { channel_id: news, ...query(input) });
    const inGarden = (input: object = {}, actor: Actor = ada) =>
      listCommunityPosts(ctx, actor, { community_id: garden.id, ...query(input) });
    const pages = async (list: (cursor?: string) => Promise<Page<Post>>) => {
      const found: (Id | undefined)[][] = [];
      for (let cursor: string | undefined; ;) {
        const page = await list(cursor);
        found.push(page.entries.map(({ id }) => id));
        cursor = page.cursor;
        if (cursor === undefined) return found;
      }
    };
    const minutes = (count: number) => own.clock.halt(count * 60_000);

    test('[LS5] a channel has its posts in each order, and of equal ones the newer first', async () => {
      const [old, loved, disputed, quiet, last] = await write(
        post({ agoMs: 30 * HOUR_MS, upvotes: 5, activeAtMs: own.clock.unixMs() }),
        post({ agoMs: 20 * HOUR_MS, upvotes: 300 }),
        post({ agoMs: 10 * HOUR_MS, upvotes: 40, downvotes: 40 }),
        post({ agoMs: HOUR_MS, downvotes: 2, upvotes: 1 }),
        post(),
      );
      expect(await ids(inNews())).toEqual([loved, last, quiet, disputed, old]);
      expect(await ids(inNews({ sort: 'hot' }))).toEqual([loved, last, quiet, disputed, old]);
      expect(await ids(inNews({ sort: 'new' }))).toEqual([last, quiet, disputed, loved, old]);
      expect(await ids(inNews({ sort: 'active' }))).toEqual([loved, old, last, quiet, disputed]);
      expect(await ids(inNews({ sort: 'top' }))).toEqual([loved, old, last, disputed, quiet]);
      expect(await ids(inNews({ sort: 'controversial' }))).toEqual([
        disputed,
        quiet,
        last,
        loved,
        old,
      ]);
      expect(await ids(inNews({}, ANYONE))).toHaveLength(5);
    });

    test('[LS5] a channel that is hidden is like one that does not exist, and one without posts is refused', async () => {
      await hide(news);
      for (const id of [news, await ctx.ids.next()]) {
        const list = listChannelPosts(ctx, bob, { channel_id: id, ...query() });
        expect(await failureOf(list)).toBeInstanceOf(NotFoundError);
      }
      const [general] = garden.channels;
      const id = general?.id ?? news;
      const refused = await failureOf(listChannelPosts(ctx, ada, { channel_id: id, ...query() }));
      expect(refused).toBeInstanceOf(ValidationError);
    });

    test('[LS6] a community has the posts of the channels that the caller sees, in one order', async () => {
      const secret = await add('secret');
      await hide(secret);
      const all = Array.from({ length: 12 }, (_, at) =>
        post({ agoMs: at * HOUR_MS, channelId: at % 3 === 0 ? secret : news, upvotes: at * at }),
      );
      await write(...all);
      const top = all.map(({ id }) => id).toReversed();
      expect(await ids(inGarden({ sort: 'top' }))).toEqual(top);
      const seen = all.filter(({ channelId }) => channelId === news).map(({ id }) => id);
      for (const actor of [bob, ANYONE]) {
        expect(await ids(inGarden({ sort: 'top' }, actor))).toEqual(seen.toReversed());
        expect(await ids(inGarden({ sort: 'new' }, actor))).toEqual(seen);
        const each = await pages((cursor) => inGarden({ sort: 'new', limit: 3, cursor }, actor));
        expect(each.flat()).toEqual(seen);
      }
      const closed = await own.garden(ada);
      const refused = listCommunityPosts(ctx, bob, { community_id: closed.id, ...query() });
      expect(await failureOf(refused)).toBeInstanceOf(NotFoundError);
    });

    test('[LS7] the pages of an order have each post once, whatever is voted and written meanwhile', async () => {
      const all = Array.from({ length: 23 }, (_, at) =>
        post({ agoMs: at * HOUR_MS, upvotes: at % 5 }),
      );
      await write(...all);
      const expected = await ids(inNews({ sort: 'hot', limit: 100 }));
      const found = await pages(async (cursor) => {
        const page = await inNews({ sort: 'hot', limit: 4, cursor });
        for (const each of all.slice(0, 5)) {
          await writeVotes(own.database, { ...each, upvotes: Math.floor(1_000 * Math.random()) });
        }
        await write(post({ upvotes: 50 }));
        return page;
      });
      expect(found.flat()).toEqual([...expected]);
      expect(found.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 3]);
    });

    test('[LS8] an order is shared for a minute, and its pages are found by every process for 15', async () => {
      await write(post(), post(), post());
      const first = await inNews({ limit: 2 });
      const [newer] = await write(post({ agoMs: -1_000 }));
      minutes(0.9);
      expect(await ids(inNews({ limit: 2 }))).toEqual(first.entries.map(({ id }) => id));
      await using other = await own.another();
      const there = (input: object) =>
        listChannelPosts(other, ada, { channel_id: news, ...query(input) });
      expect(await ids(there({ limit: 2 }))).toEqual(first.entries.map(({ id }) => id));
      minutes(0.2);
      expect((await ids(inNews({ limit: 2 })))[0]).toBe(newer);
      const { cursor } = first;
      minutes(13.5);
      expect(await ids(there({ limit: 2, cursor }))).toHaveLength(1);
      expect(await ids(inNews({ limit: 2, cursor }))).toHaveLength(1);
      await sweepPostOrders(ctx).run(undefined, ATTEMPT);
      expect(await ids(inNews({ limit: 2, cursor }))).toHaveLength(1);
      minutes(0.5);
      for (const list of [inNews, there]) {
        const refused = await failureOf(list({ limit: 2, cursor }));
        expect(refused).toBeInstanceOf(ValidationError);
      }
      await sweepPostOrders(ctx).run(undefined, ATTEMPT);
      minutes(15);
      await sweepPostOrders(ctx).run(undefined, ATTEMPT);
      const rows = await own.database.reader.selectFrom('post_orders').selectAll().execute();
      expect(rows).toEqual([]);
    });

    test('[LS8] a cursor that is none, or one of another list, is refused', async () => {
      const talk = await add('talk');
      await write(post(), post(), post({ channelId: talk }), post({ channelId: talk }));
      const { cursor = '' } = await inNews({ limit: 1 });
      const forged = Buffer.from('{"order":"none","at":1}').toString('base64url');
      const lists = [
        () => inNews({ cursor: 'none' }),
        () => inNews({ cursor: forged }),
        () => inNews({ cursor, sort: 'top' }),
        () => inNews({ cursor, sort: 'new' }),
        () => inNews({ cursor, tag: news }),
        () => inGarden({ cursor }),
        () => listChannelPosts(ctx, ada, { channel_id: talk, ...query({ cursor }) }),
        () => listFeed(ctx, ada, query({ cursor })),
      ];
      for (const list of lists) {
        const refused = await failureOf(list());
        expect(refused).toBeInstanceOf(ValidationError);
        expect(refused).toMatchObject({ data: { field_name: 'cursor' } });
      }
      expect(await ids(inNews({ cursor }))).toHaveLength(1);
    });

    test('[LS9] pinned posts come first in a channel, each post once, and in their places elsewhere', async () => {
      const pinned = [
        post({ agoMs: 9 * HOUR_MS, pinnedAtMs: 1 }),
        post({ agoMs: 1_000, pinnedAtMs: 2 }),
      ];
      const others = [post({ agoMs: 2_000 }), post({ agoMs: 3_000 }), post({ agoMs: HOUR_MS })];
      const [early, late] = await write(...pinned);
      const rest = await write(...others);
      const expected = [late, early, ...rest];
      for (const sort of ['hot', 'new', 'active']) {
        for (const limit of [1, 2, 3, 10]) {
          const found = await pages((cursor) => inNews({ sort, limit, cursor }));
          expect(found.flat()).toEqual(expected);
        }
      }
      expect(await ids(inGarden())).toEqual([late, ...rest, early]);
      const [newest] = await ids(inNews({ sort: 'new', before: rest[2] }));
      expect(newest).toBe(early);
      await writePosts(own.database, [post({ agoMs: 4_000, pinnedAtMs: 3 })]);
      expect((await ids(inNews()))[1]).toBe(late);
    });

    test('[LS10] a page has what the caller sees now, and fills up with what follows', async () => {
      const talk = await add('talk');
      const all = Array.from({ length: 9 }, (_, at) =>
        post({ agoMs: at * 1_000, channelId: at % 2 === 0 ? talk : news }),
      );
      const written = await write(...all);
      await joinCommunity(ctx, bob, { community_id: garden.id });
      const first = await inGarden({ limit: 2 }, bob);
      expect(first.entries.map(({ id }) => id)).toEqual(written.slice(0, 2));
      await hide(talk);
      await removePosts(own.database, written.slice(3, 4));
      const { cursor } = first;
      expect(await ids(inGarden({ limit: 2, cursor }, bob))).toEqual([written[5], written[7]]);
      expect(await ids(inGarden({ limit: 2, cursor }))).toEqual([written[2], written[4]]);
      expect(await ids(inGarden({}, bob))).toEqual([written[1], written[5], written[7]]);
    });

    test('[LS11] top and controversial posts of a day or a week', async () => {
      const talk = await add('talk');
      const [now, today, recent] = await write(
        post({ upvotes: 1, downvotes: 1 }),
        post({ agoMs: 23 * HOUR_MS, upvotes: 7, channelId: talk }),
        post({ agoMs: 6 * DAY_MS, upvotes: 90, downvotes: 8 }),
        post({ agoMs: 8 * DAY_MS, upvotes: 900, downvotes: 900 }),
      );
      expect(await ids(inGarden({ sort: 'top', since: 'day' }))).toEqual([today, now]);
      expect(await ids(inGarden({ sort: 'top', since: 'week' }))).toEqual([recent, today, now]);
      expect(await ids(inGarden({ sort: 'controversial', since: 'week' }))).toEqual([
        now,
        recent,
        today,
      ]);
      expect(await ids(inNews({ sort: 'top', since: 'day' }))).toEqual([now]);
    });

    test('[LS11][LS13] the newest 10,000 posts of a period, and of a tag, are compared', async () => {
      const changed = await changeChannel(ctx, ada, { id: news, tags: [{ name: 'bulbs' }] });
      const [tag] = changed.tags ?? [];
      const tags = tag === undefined ? [] : [tag.id];
      const [beyond, best] = [
        post({ agoMs: 12 * HOUR_MS, upvotes: 900, tags }),
        post({ agoMs: 11 * HOUR_MS, upvotes: 90, tags }),
      ];
      await write(beyond, best);
      for (let count = 1; count < MOST_CANDIDATES; count += 333) {
        const some = Math.min(333, MOST_CANDIDATES - count);
        await write(...Array.from({ length: some }, () => post({ tags })));
      }
      for (const place of [{ since: 'day' }, { tag: tag?.id }]) {
        const [first] = await ids(inNews({ sort: 'top', limit: 2, ...place }));
        expect(first).toBe(best.id);
      }
      const [first] = await ids(inNews({ sort: 'top', limit: 2 }));
      expect(first).toBe(beyond.id);
    });

    test('[LS12] top posts of a month or a year come from a list that is made every ten minutes', async () => {
      const old = post({ agoMs: 29 * DAY_MS, upvotes: 3 });
      const [first] = await write(old);
      await write(post({ agoMs: 31 * DAY_MS, upvotes: 9 }));
      const [recent] = await write(post({ agoMs: DAY_MS, upvotes: 1 }));
      const top = () => ids(inNews({ sort: 'top', since: 'month' }));
      expect(await top()).toEqual([first, recent]);
      const jobs = async () =>
        (await own.database.reader.selectFrom('jobs').selectAll().execute()).filter(
          ({ kind }) => kind === MAKE_PERIOD_LISTS.name,
        );
      const [job, ...more] = await jobs();
      expect(more).toEqual([]);
      const payload = MAKE_PERIOD_LISTS.parse(JSON.parse(job?.payload ?? ''));
      await makePeriodLists(ctx).run(payload, ATTEMPT);
      await writeVotes(own.database, { ...old, upvotes: 0 });
      minutes(2);
      expect(await top()).toEqual([first, recent]);
      minutes(9);
      await makePeriodLists(ctx).run(payload, ATTEMPT);
      expect(await top()).toEqual([recent, first]);
      minutes(2 * 24 * 60);
      await sweepPostOrders(ctx).run(undefined, ATTEMPT);
      expect(await top()).toEqual([recent]);
    });

    test('[LS13] only the posts with a tag of a channel that the caller sees', async () => {
      const changed = await changeChannel(ctx, ada, {
        id: news,
        tags: [{ name: 'plants' }, { name: 'tools' }],
      });
      const [plants, tools] = (changed.tags ?? []).map(({ id }) => id);
      if (plants === undefined || tools === undefined) throw new Error('there are no tags');
      const written = await write(
        post({ agoMs: 3_000, tags: [plants], upvotes: 4 }),
        post({ agoMs: 2_000, tags: [tools], upvotes: 5 }),
        post({ agoMs: 1_000, tags: [plants, tools], upvotes: 1 }),
        post(),
        post({ agoMs: 40 * DAY_MS, tags: [plants], pinnedAtMs: 1 }),
      );
      const [some, , both, , pinned] = written;
      expect(await ids(inNews({ sort: 'top', tag: plants }))).toEqual([pinned, some, both]);
      const newest = await pages((cursor) =>
        inNews({ sort: 'new', tag: plants, limit: 1, cursor }),
      );
      expect(newest.flat()).toEqual([pinned, both, some]);
      const since = { sort: 'top', since: 'month', tag: plants };
      expect(await ids(inGarden(since))).toEqual([some, both]);
      expect(await ids(inNews({ tag: news }))).toEqual([]);
      await hide(news);
      for (const sort of ['hot', 'new']) {
        expect(await ids(inGarden({ sort, tag: plants }, bob))).toEqual([]);
      }
    });

    test('[LS14] a feed has the posts of the communities of the caller, private and unlisted ones among them', async () => {
      const eve = await own.person(`eve${sequence}`);
      const hidden = await own.garden(eve, { visibility: 'unlisted' });
      const closed = await own.garden(eve);
      const written: WrittenPost[] = [];
      for (const [at, community] of [hidden, closed].entries()) {
        const made = { community_id: community.id, kind: 'posts', name: 'news' } as const;
        const { id: channelId } = await createChannel(ctx, eve, made);
        const place = { channelId, communityId: community.id };
        written.push(post({ ...place, agoMs: at * HOUR_MS, userId: eve.user_id }));
      }
      await write(...written, post());
      const expected = written.map(({ id }) => id);
      for (const sort of ['hot', 'new', 'top', 'active', 'controversial']) {
        expect(await ids(listFeed(ctx, eve, query({ sort })))).toEqual(expected);
        const each = await pages((cursor) => listFeed(ctx, eve, query({ sort, cursor, limit: 1 })));
        expect(each.flat()).toEqual(expected);
      }
      const nobody = await own.person(`nobody${sequence}`);
      expect(await ids(listFeed(ctx, nobody, query()))).toEqual([]);
    });

    test('[LS15] the posts of somebody are those that the caller may see, the newest first', async () => {
      const eve = await own.person(`author${sequence}`);
      const secret = await add('secret');
      await hide(secret);
      const places: { readonly channelId: Id; readonly communityId: Id }[] = [
        { channelId: news, communityId: garden.id },
        { channelId: secret, communityId: garden.id },
      ];
      for (const visibility of ['unlisted', 'private'] as const) {
        const community = await own.garden(ada, { visibility });
        places.push({ channelId: await add('news', community), communityId: community.id });
      }
      const written = await write(
        ...places.map((place, at) => post({ ...place, agoMs: at * 1_000, userId: eve.user_id })),
      );
      const by = (actor: Actor, input: object = {}) =>
        listUserPosts(ctx, actor, { id: eve.user_id, limit: 50, ...input });
      expect(await ids(by(ada))).toEqual(written);
      for (const actor of [ANYONE, bob, eve]) {
        expect(await ids(by(actor))).toEqual(written.slice(0, 1));
      }
      expect(await ids(by(ada, { before: written[1] }))).toEqual(written.slice(2));
      const each = await pages((cursor) => by(ada, { limit: 1, cursor }));
      expect(each.flat()).toEqual(written);
      const unknown = listUserPosts(ctx, ada, { id: await ctx.ids.next(), limit: 1 });
      expect(await failureOf(unknown)).toBeInstanceOf(NotFoundError);
      expect(await failureOf(by(ada, { cursor: 'none' }))).toBeInstanceOf(ValidationError);
    });
  });
});
