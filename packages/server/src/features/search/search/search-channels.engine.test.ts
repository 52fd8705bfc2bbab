import {
  NotFoundError,
  ValidationError,
  type ChannelKind,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { indexSearch, wordsInIndex } from '@hearth/testing/instances/index-search';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import { PURGERS, PURGERS_AFTER_ROWS } from '../../../lists/purgers.ts';
import { TABLES } from '../../../schema.ts';
import { ANYONE, OWNER, type Actor, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { changeChannel, deleteChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changeChannelMessage } from '../../talk/messages/change-message.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { memberGuard } from '../../talk/places/channels.ts';
import { deleteMessagesOf } from '../../talk/messages/delete-messages.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { insertMessages } from '../../talk/messages/new-message-store.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { purgeCommunities, purgeRows } from '../../communities/purge/purge-communities.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { placeWord } from './index-words.ts';
import { purgeIndexed } from './purge-indexed.ts';
import { rebuildSearch, search } from './search.ts';
import { selectState } from './store.ts';
import type { SearchInput } from './wanted.ts';

/** The number of messages that are written in one transaction, which must not last for long. */
const WRITTEN_AT_ONCE = 50;

onEachDatabase((open) => {
  describe('a search in channels', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      const files = { database: own.ctx.database, fileAddresses: ['https://files.test'] };
      ctx = { ...own.ctx, namedFiles: new NamedFiles(files) };
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      const [first] = garden.channels;
      if (first === undefined) throw new Error('there is no first channel');
      general = first.id;
      await joinCommunity(ctx, bob, { community_id: garden.id });
    });

    const post = (content: string, { by = ada, to = general } = {}) =>
      postMessage(ctx, by, { channel_id: to, content });
    const add = async (name: string, kind: ChannelKind = 'messages') =>
      (await createChannel(ctx, ada, { community_id: garden.id, kind, name })).id;
    const hide = (id: Id) =>
      setOverwrite(ctx, ada, {
        id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
    const query = (input: Partial<SearchInput>) =>
      ({ kind: 'messages', limit: 50, ...input }) as const;
    const inChannel = async (input: Partial<SearchInput>, actor: Actor = ada, id = general) =>
      (await search(ctx, actor, { ...query(input), in: id })).found;
    const inGarden = async (input: Partial<SearchInput>, actor: Actor = ada) =>
      (await search(ctx, actor, { ...query(input), community: garden.id })).found;
    const contents = async (found: Promise<readonly { readonly content: string }[]>) =>
      (await found).map(({ content }) => content);
    const index = () => indexSearch(ctx);
    /** The words of each message in the index of the channel. */
    const words = async () =>
      (await wordsInIndex(own.database)).filter((each) => each.includes(placeWord(general)));
    /** Adds messages without what a post does besides. */
    const write = async (texts: readonly string[]): Promise<readonly Id[]> => {
      const ids = await Promise.all(texts.map(() => ctx.ids.next()));
      const guard = memberGuard({ communityId: garden.id, userId: ada.user_id, version: 1 });
      for (let from = 0; from < texts.length; from += WRITTEN_AT_ONCE) {
        await own.database.transaction(async (tx) => {
          for (const [at, content] of [...texts.entries()].slice(from, from + WRITTEN_AT_ONCE)) {
            const message = { channelId: general, id: ids[at] ?? general, userId: ada.user_id };
            const rest = {
              createdAtMs: 1,
              editedAtMs: 0,
              replyTo: '',
              mentions: {},
              files: [],
            } as const;
            const more = {
              reactions: [],
              isPinned: false,
              postId: '' as const,
              isCard: false,
              version: 1,
            };
            const stored = { ...message, content, ...rest, ...more };
            await insertMessages(tx, [{ message: stored, guard }]);
          }
        });
      }
      await own.database.transaction(async (tx) => {
        const last = ids.at(-1) ?? general;
        await tx.sql
          .updateTable('turns')
          .set({ last_id: last })
          .where('id', '=', general)
          .execute();
      });
      return ids;
    };

    test('[PO17][PO17a][SE2] a card is not found by the title of its post, which may be hidden', async () => {
      const news = await add('news', 'posts');
      await changeChannel(ctx, ada, { id: news, card_channel_ids: [general] });
      await createPost(ctx, ada, { channel_id: news, title: 'secret layoffs' });
      await post('a secret garden');
      await index();
      expect(await contents(inChannel({ q: 'secret' }, bob))).toEqual(['a secret garden']);
    });

    test('[SE14] a search of a channel has its messages, as the history shows them', async () => {
      const other = await add('other');
      const first = await post('Good evening');
      await post('evening elsewhere', { to: other });
      await index();
      expect(await inChannel({ q: 'eve' })).toEqual([first]);
      expect(await inChannel({ q: 'eve' }, ANYONE)).toEqual([first]);
      expect(await inChannel({ q: 'good "evening"' })).toEqual([first]);
      expect(await inChannel({ q: 'night' })).toEqual([]);
      const second = await post('evening again');
      await index();
      expect(await inChannel({ q: 'eve' })).toEqual([second, first]);
      expect(await inChannel({ q: 'eve', limit: 1 })).toEqual([second]);
      expect(await inChannel({ q: 'eve', before: second.id })).toEqual([first]);
      expect(await inChannel({ q: 'eve', after: first.id })).toEqual([second]);
    });

    test('[SE14] a channel that is hidden is like one that does not exist, and one without messages is refused', async () => {
      const hidden = await add('hidden');
      await post('evening', { to: hidden });
      await hide(hidden);
      await index();
      expect(await contents(inChannel({ q: 'evening' }, ada, hidden))).toEqual(['evening']);
      const unknown = await ctx.ids.next();
      for (const id of [hidden, unknown]) {
        expect(await failureOf(inChannel({ q: 'evening' }, bob, id))).toBeInstanceOf(NotFoundError);
      }
      const posts = await add('posts', 'posts');
      expect(await failureOf(inChannel({ q: 'a' }, ada, posts))).toBeInstanceOf(ValidationError);
      expect(await failureOf(inChannel({}))).toBeInstanceOf(ValidationError);
      expect(await failureOf(inChannel({ q: '!' }))).toBeInstanceOf(ValidationError);
    });

    test('[SE15][SE15a] a search of a community has the messages of all channels that the caller sees, the newest first', async () => {
      const [news, hidden] = [await add('news', 'announcements'), await add('hidden')];
      await add('posts', 'posts');
      await hide(hidden);
      const all: string[] = [];
      for (const [at, to] of [general, hidden, news, general, news, hidden].entries()) {
        all.unshift(`evening ${at}`);
        await post(`evening ${at}`, { to });
        if (at === 3) await index();
      }
      await index();
      expect(await contents(inGarden({ q: 'evening' }))).toEqual(all);
      const seen = ['evening 4', 'evening 3', 'evening 2', 'evening 0'];
      for (const actor of [bob, ANYONE]) {
        expect(await contents(inGarden({ q: 'evening' }, actor))).toEqual(seen);
      }
      const [first, second] = await inGarden({ q: 'evening', limit: 2 }, bob);
      expect([first, second]).toMatchObject([{ channel_id: news }, { channel_id: general }]);
      expect(await contents(inGarden({ q: 'evening', before: second?.id }, bob))).toEqual(
        seen.slice(2),
      );
      const closed = await own.garden(ada);
      const searching = search(ctx, bob, { ...query({ q: 'a' }), community: closed.id });
      expect(await failureOf(searching)).toBeInstanceOf(NotFoundError);
    });

    test('[SE16] messages are found by their author with an account, and by links', async () => {
      await post('by ada https://example.com');
      await post('by bob https://files.test/1', { by: bob });
      await index();
      expect(await contents(inChannel({ from: 'BOB' }))).toEqual(['by bob https://files.test/1']);
      expect(await inChannel({ q: 'by', from: 'nobody' })).toEqual([]);
      expect(await contents(inChannel({ has: 'link' }))).toEqual(['by ada https://example.com']);
      expect(await inChannel({ has: 'file' })).toEqual([]);
    });

    test('[SE13][SE23a][SE24] the index is rebuilt, whatever ends the work, and the former one is searched meanwhile', async () => {
      for (let count = 0; count < 300; count += 1) await post(`old text ${count}x`);
      await index();
      const fresh = await words();
      const { searched } = (await selectState(own.database.reader)) ?? expect.unreachable();
      await rebuildSearch(ctx, OWNER);
      const second = await post('posted meanwhile');
      for (let steps = 1; ; steps += 1) {
        expect((await inChannel({ q: '7x' })).map(({ content }) => content)).toEqual([
          'old text 7x',
        ]);
        const state = await selectState(own.database.reader);
        if (state?.searched !== searched) break;
        await Promise.all([indexSearch(ctx, { steps: 1 }), indexSearch(ctx, { steps: 1 })]);
        expect(await inChannel({ q: 'meanwhile' })).toEqual([second]);
      }
      const deleting = Promise.withResolvers<void>();
      let isDeleted = false;
      void index().then(() => {
        isDeleted = true;
        deleting.resolve();
      });
      while (!isDeleted) expect(await inChannel({ q: '"7x"' })).toHaveLength(1);
      await deleting.promise;
      expect((await words()).filter((each) => !each.includes('meanwhile'))).toEqual(fresh);
      expect(await inChannel({ q: 'meanwhile' })).toEqual([second]);
      const blocks = own.database.reader.selectFrom('search_blocks').select('index_number');
      const numbers = new Set((await blocks.execute()).map((row) => Number(row.index_number)));
      expect(numbers).toEqual(new Set([searched + 1]));
    });

    test('[SE17] a message that was changed is found by its new words only, and one that was deleted is gone from the index', async () => {
      const first = await post('giraffe one');
      const second = await post('giraffe two');
      await index();
      const all = async () => (await words()).flat();
      await changeChannelMessage(ctx, ada, { channel_id: general, id: first.id, content: 'zebra' });
      expect(await contents(inChannel({ q: 'gira' }))).toEqual(['giraffe two']);
      await index();
      expect(await contents(inChannel({ q: 'zebra' }))).toEqual(['zebra']);
      expect(await contents(inChannel({ q: 'gira' }))).toEqual(['giraffe two']);
      expect(await all()).not.toContain('one');
      await deleteChannelMessage(ctx, ada, { channel_id: general, id: second.id });
      expect(await inChannel({ q: 'giraffe' })).toEqual([]);
      await index();
      expect(await all()).not.toContain('giraffe');
      const { signal } = new AbortController();
      await deleteMessagesOf(ctx, { userId: ada.user_id, signal });
      await index();
      expect(await words()).toEqual([]);
      const left = own.database.reader.selectFrom('search_queue').selectAll();
      expect(await left.execute()).toEqual([]);
    });

    test('[SE17a] a purged channel leaves no words, also if it is indexed again before its rows are gone', async () => {
      await post('giraffe');
      await index();
      await deleteChannel(ctx, ada, { id: general });
      const again = async () => {
        await rebuildSearch(ctx, OWNER);
        await index();
      };
      const unixMs = () => own.clock.unixMs() + RESTORABLE_MS;
      const purging = {
        purgers: [...PURGERS, again],
        afterRows: PURGERS_AFTER_ROWS,
        tables: TABLES,
      };
      // Guarantee: it needs nothing of the lobby.
      const job = purgeCommunities({ ...ctx, clock: { ...own.clock, unixMs } }, purging);
      const { signal } = new AbortController();
      await job.run(undefined, { id: '1', number: 1, signal });
      await index();
      expect(await words()).toEqual([]);
    });

    test('[SE12][SE17] what was posted before there was an index is indexed, and a channel is removed with its words', async () => {
      const texts = Array.from({ length: 1_100 }, (_, at) =>
        at % 200 === 0 ? `rare text${at}x` : `text${at}x everywhere`,
      );
      const ids = await write(texts);
      await own.database.transaction(async ({ sql }) => {
        for (const table of [
          'search_state',
          'search_blocks',
          'search_entries',
          'search_words',
        ] as const)
          await sql.deleteFrom(table).execute();
      });
      const rare = ids.filter((_, at) => at % 200 === 0).toReversed();
      const found = async (q: string, more: Partial<SearchInput> = {}) =>
        (await inChannel({ q, ...more })).map(({ id }) => id);
      expect(await found('rare')).toEqual([]);
      await indexSearch(ctx, { steps: 2 });
      // The newest ones come first.
      expect(await found('rare')).toEqual(rare.slice(0, 1));
      await index();
      expect(await found('rare')).toEqual(rare);
      expect(await found('rar', { limit: 2 })).toEqual(rare.slice(0, 2));
      expect(await found('rare', { before: rare[1], after: rare[4] })).toEqual(rare.slice(2, 4));
      expect(await found('rare', { before: ids[199] })).toEqual(rare.slice(-1));
      expect(await found('text517x everywhere')).toEqual([ids[517] ?? general]);
      const common = ids.filter((_, at) => at % 200 !== 0).toReversed();
      expect(await found('everywhere', { limit: 100 })).toEqual(common.slice(0, 100));
      expect(await found('everywhere', { limit: 5, before: common[700] })).toEqual(
        common.slice(701, 706),
      );
      expect(await found('text')).toHaveLength(50);
      const { signal } = new AbortController();
      const channel = { communityId: garden.id, channelId: general, signal };
      await purgeIndexed(ctx, channel);
      await purgeRows(own.database, TABLES, { of: 'channel', id: general, signal });
      await index();
      expect(await words()).toEqual([]);
    }, 120_000);
  });
});
