import {
  ForbiddenError,
  MOST_COUNTED,
  MOST_FACETS,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
  type ChannelKind,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { indexSearch } from '@hearth/testing/instances/index-search';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Account, type Actor } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { endAccount } from '../../accounts/own-account/end-account.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { openHistory, type History } from '../../talk/lobby/history.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { search, searchAll, searchFacets } from './search.ts';

const log = jsonLogger('silent', () => {});
const BOUNDS = { messages: 10_000, days: 30 };

type Given = Parameters<typeof searchFacets>[2];

onEachDatabase((open) => {
  describe('the counts of a search', () => {
    let own: CommunityTest;
    let history: History;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    let trees: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      const { database, clock } = own;
      history = await openHistory({ database, clock, log, bounds: BOUNDS });
      const namedFiles = new NamedFiles({ database: own.ctx.database, fileAddresses: [] });
      ctx = { ...own.ctx, history, namedFiles };
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(async () => {
      await history[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      general = garden.channels.find(({ kind }) => kind === 'messages')?.id ?? expect.unreachable();
      trees = await add('trees');
      await joinCommunity(ctx, bob, { community_id: garden.id });
    });

    const add = async (name: string, kind: ChannelKind = 'posts', community = garden) =>
      (await createChannel(ctx, ada, { community_id: community.id, kind, name })).id;
    const hide = (id: Id) => {
      const everyone = { subject_id: garden.id, kind: 'role' } as const;
      return setOverwrite(ctx, ada, { id, ...everyone, allow: [], deny: ['VIEW'] });
    };
    const post = (title: string, { to = trees, by = ada } = {}) =>
      createPost(ctx, by, { channel_id: to, title });
    const comment = (on: Id, content: string, by = bob) =>
      createComment(ctx, by, { post_id: on, content });
    const send = (content: string, { to = general, by = bob } = {}) =>
      postMessage(ctx, by, { channel_id: to, content });
    const speak = async (author: string, content: string) => {
      const id = await ctx.ids.next();
      history.append({ id, author, content, created_at: own.clock.unixMs() });
      await history.flush();
    };
    const counts = async (given: Given, by: Actor = bob, at = ctx) =>
      (await searchFacets(at, by, given)).facets;
    const index = () => indexSearch(ctx);
    const inTrees = () => ({ place: trees, community: garden.id, name: 'trees' });
    const inGeneral = () => ({ place: general, community: garden.id, name: 'general' });

    test('[SE26][SE26a][SE27][SE27a] what is found is counted by kind, place and author, the most frequent first', async () => {
      const { id } = await post('plums');
      await comment(id, 'two plums');
      await comment(id, 'three plums');
      await send('plums are blue');
      await send('pears are not', { by: ada });
      await speak('Wren', 'plums sing');
      await speak('wren', 'plums fly');
      await index();
      const ofBob = { author: 'bob', user_id: bob.user_id };
      const ofAda = { author: 'ada', user_id: ada.user_id };
      expect(await counts({ q: 'plum', in: 'all' })).toEqual({
        total: 6,
        kinds: [
          { kind: 'messages', count: 3 },
          { kind: 'comments', count: 2 },
          { kind: 'posts', count: 1 },
        ],
        places: [
          { ...inTrees(), count: 3 },
          { place: 'lobby', count: 2 },
          { ...inGeneral(), count: 1 },
        ],
        authors: [
          { ...ofBob, count: 3 },
          { author: 'wren', count: 2 },
          { ...ofAda, count: 1 },
        ],
      });
      expect(await counts({ q: 'plum', community: garden.id, from: 'ada' })).toEqual({
        total: 1,
        kinds: [{ kind: 'posts', count: 1 }],
        places: [{ ...inTrees(), count: 1 }],
        authors: [{ ...ofAda, count: 1 }],
      });
      expect(await counts({ q: 'plum', in: trees, kind: 'comments', before: id })).toEqual({
        total: 0,
        kinds: [],
        places: [],
        authors: [],
      });
      expect((await counts({ q: 'plum', in: trees, kind: 'comments', after: id })).total).toBe(2);
      expect((await counts({ q: 'plum' })).places).toEqual([{ place: 'lobby', count: 2 }]);
    });

    test('[SE26] the access and the errors are those of the search, and nothing that is hidden or deleted is counted', async () => {
      const hidden = await add('hidden');
      await hide(hidden);
      const closed = await own.garden(ada);
      const [closedChannel = expect.unreachable()] = closed.channels;
      await send('figs', { to: closedChannel.id, by: ada });
      await post('figs', { to: hidden });
      const { id } = await post('figs');
      const first = await comment(id, 'figs');
      await comment(id, 'figs too');
      const { id: other } = await post('more figs');
      await comment(other, 'figs on it');
      const message = await send('figs');
      await index();
      const everything = { q: 'figs', in: 'all' } as const;
      const total = async (by: Actor, given: Given = everything) => (await counts(given, by)).total;
      expect([await total(ada), await total(bob), await total(ANYONE)]).toEqual([8, 6, 0]);
      expect(await total(ANYONE, { q: 'figs', community: garden.id })).toBe(6);
      await deleteComment(ctx, bob, { id: first.id });
      await deletePost(ctx, ada, { id: other });
      await deleteChannelMessage(ctx, bob, { channel_id: general, id: message.id });
      expect([await total(ada), await total(bob)]).toEqual([4, 2]);
      expect((await counts(everything)).places).toEqual([{ ...inTrees(), count: 2 }]);
      for (const given of [{ in: hidden }, { in: closedChannel.id }, { community: closed.id }]) {
        expect(await failureOf(counts({ q: 'figs', ...given }))).toBeInstanceOf(NotFoundError);
      }
      for (const given of [{}, { q: '!' }, { q: 'a', in: general, kind: 'posts' as const }]) {
        expect(await failureOf(counts(given))).toBeInstanceOf(ValidationError);
      }
    });

    test('[SE27a] authors whose accounts were deleted are not listed', async () => {
      const eve = await own.person('eve');
      await joinCommunity(ctx, eve, { community_id: garden.id });
      await send('dates', { by: eve });
      await send('dates');
      await index();
      const given = { q: 'dates', community: garden.id };
      const authors = async () => (await counts(given)).authors.map(({ author }) => author);
      expect(await authors()).toEqual(['bob', 'eve']);
      const ended = { id: eve.user_id, content: 'keep', release: async () => {} } as const;
      await ctx.database.transaction((tx) => endAccount(tx, ctx, ended));
      expect(await authors()).toEqual(['bob']);
      expect((await counts(given)).total).toBe(2);
    });

    test('[SE26][SE28] the lobby is counted for those to whom it is open, and the access code is needed', async () => {
      await speak('Wren', 'cherries');
      await send('cherries');
      await index();
      const everything = { q: 'cherries', in: 'all' } as const;
      const placesOf = async (by: Actor, lobby: 'open' | 'accounts' | 'off') => {
        const at = { ...ctx, settings: { ...ctx.settings, lobby } };
        return (await counts(everything, by, at)).places.map(({ place }) => place);
      };
      expect(await placesOf(bob, 'open')).toEqual([general, 'lobby']);
      expect(await placesOf(bob, 'accounts')).toEqual([general, 'lobby']);
      expect(await placesOf(bob, 'off')).toEqual([general]);
      expect(await placesOf(ANYONE, 'open')).toEqual(['lobby']);
      expect(await placesOf(ANYONE, 'off')).toEqual([]);
      expect(await failureOf(placesOf(ANYONE, 'accounts'))).toBeInstanceOf(UnauthorizedError);
      const { restrictions } = ctx;
      const coded = {
        ...restrictions.latest,
        isNothing: false,
        accessCode: { isSame: () => false },
      };
      const outside = {
        ...ctx,
        restrictions: { ...restrictions, guesses: restrictions.guesses, current: () => coded },
      };
      for (const by of [ada, ANYONE]) {
        const failure = await failureOf(counts(everything, by, outside));
        expect(failure).toBeInstanceOf(ForbiddenError);
      }
    });

    test('[SE27][SE27a] the newest 1,000 are counted, and 20 places and authors are listed', async () => {
      const rooms: Id[] = [];
      for (let at = 0; at <= MOST_FACETS; at += 1) rooms.push(await add(`room-${at}`, 'messages'));
      for (const to of rooms) await send('quinces', { to });
      for (let at = rooms.length; at < MOST_COUNTED - 1; at += 1) {
        const author = `guest ${at % (MOST_FACETS + 5)}`;
        history.append({
          id: await ctx.ids.next(),
          author,
          content: 'quinces',
          created_at: own.clock.unixMs(),
        });
      }
      await history.flush();
      await index();
      const everything = { q: 'quinces', in: 'all' } as const;
      const { more, ...all } = await counts(everything);
      expect([all.total, more]).toEqual([MOST_COUNTED - 1, undefined]);
      expect([all.places.length, all.authors.length]).toEqual([MOST_FACETS, MOST_FACETS]);
      await speak('Wren', 'quinces');
      await index();
      const exactly = await counts(everything);
      expect([exactly.total, exactly.more]).toEqual([MOST_COUNTED, undefined]);
      await speak('Wren', 'quinces');
      await index();
      const { facets, stoppedAt } = await searchFacets(ctx, bob, everything);
      expect([facets.total, facets.more, stoppedAt]).toEqual([MOST_COUNTED, true, undefined]);
      expect(facets.kinds).toEqual([{ kind: 'messages', count: MOST_COUNTED }]);
      // The oldest one is no longer counted.
      expect(await counts({ ...everything, from: 'bob' })).toMatchObject({ total: rooms.length });
    }, 60_000);

    test('[SE9][SE27] counting stops where the search stops', async () => {
      for (let at = 0; at < 80; at += 1) {
        const words = Array.from({ length: 200 }, (_, word) => `vine${at}x${word}`);
        await createPost(ctx, ada, {
          channel_id: trees,
          title: 'grapes',
          content: words.join(' '),
        });
      }
      await index();
      const given = { q: 'grapes vine', in: trees } as const;
      const { found, stoppedAt } = await searchAll(ctx, bob, { ...given, limit: 100 });
      expect([found.length < 80, stoppedAt]).toEqual([true, expect.any(String)]);
      const counted = await searchFacets(ctx, bob, given);
      expect(counted.facets).toMatchObject({ total: found.length, more: true });
      expect(counted.stoppedAt).toEqual(stoppedAt);
      const before = stoppedAt;
      const older = await search(ctx, bob, { ...given, kind: 'posts', before, limit: 100 });
      expect((await counts({ ...given, before })).total).toBe(older.found.length);
    });
  });
});
