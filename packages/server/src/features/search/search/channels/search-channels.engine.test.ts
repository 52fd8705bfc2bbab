import {
  NotFoundError,
  ValidationError,
  type ChannelKind,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TABLES } from '../../../../schema.ts';
import { ANYONE, OWNER, type Actor, type Account } from '../../../../actor.ts';
import type { InstanceContext } from '../../../../instance-context.ts';
import { jsonLogger } from '../../../../log/logger.ts';
import { changeChannel } from '../../../communities/channels/change-channel.ts';
import { createChannel } from '../../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../../communities/members/join-community.ts';
import { changeChannelMessage } from '../../../talk/messages/change-message.ts';
import { deleteChannelMessage } from '../../../talk/messages/delete-message.ts';
import { memberGuard } from '../../../talk/places/channels.ts';
import { deleteMessagesOf } from '../../../talk/messages/delete-messages.ts';
import { postMessage } from '../../../talk/messages/post-message.ts';
import { insertMessages } from '../../../talk/messages/new-message-store.ts';
import { createPost } from '../../../forum/posts/create-post.ts';
import { purgeRows } from '../../../communities/purge/purge-communities.ts';
import { NamedFiles } from '../../../files/uploads/named-files.ts';
import { rebuildSearch } from '../search.ts';
import type { SearchInput } from '../wanted.ts';
import { CHANNEL_SIZES } from './channel-blocks.ts';
import { ChannelIndexer } from './channel-indexer.ts';
import { searchChannels } from './search-channels.ts';

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
    const query = (input: Partial<SearchInput>) => ({ limit: 50, ...input });
    const inChannel = async (input: Partial<SearchInput>, actor: Actor = ada, id = general) =>
      (await searchChannels(ctx, actor, { ...query(input), channelId: id })).found;
    const inGarden = async (input: Partial<SearchInput>, actor: Actor = ada) =>
      (await searchChannels(ctx, actor, { ...query(input), communityId: garden.id })).found;
    const contents = async (found: Promise<readonly { readonly content: string }[]>) =>
      (await found).map(({ content }) => content);
    /** Indexes until it is killed after so many steps. */
    const index = async (steps = Infinity) => {
      const log = jsonLogger('error', (line) => expect(line).toBe(''));
      let left = steps;
      const pause = async () => {
        left -= 1;
        if (left === 0) void indexer[Symbol.asyncDispose]();
      };
      await using indexer = new ChannelIndexer({ ...ctx, log, pause });
      await indexer.run();
    };
    const words = () =>
      own.database.reader
        .selectFrom('channel_words')
        .select(['block', 'word', 'hits'])
        .where('channel_id', '=', general)
        .orderBy('block')
        .orderBy('word')
        .execute();
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
      const found = () => contents(inChannel({ q: 'secret' }, bob));
      expect(await found()).toEqual(['a secret garden']);
      await index();
      expect(await found()).toEqual(['a secret garden']);
    });

    test('[SE14] has the messages of one channel, as the history shows them, whether they are indexed or not', async () => {
      const other = await add('other');
      const first = await post('Good evening');
      await post('evening elsewhere', { to: other });
      const check = async () => {
        expect(await inChannel({ q: 'eve' })).toEqual([first]);
        expect(await inChannel({ q: 'eve' }, ANYONE)).toEqual([first]);
        expect(await inChannel({ q: 'good "evening"' })).toEqual([first]);
        expect(await inChannel({ q: 'night' })).toEqual([]);
      };
      await check();
      await index();
      expect((await words()).map(({ word }) => word)).toContain('evening');
      await check();
      const second = await post('evening again');
      expect(await inChannel({ q: 'eve' })).toEqual([second, first]);
      expect(await inChannel({ q: 'eve', limit: 1 })).toEqual([second]);
      expect(await inChannel({ q: 'eve', before: second.id })).toEqual([first]);
      expect(await inChannel({ q: 'eve', after: first.id })).toEqual([second]);
    });

    test('[SE14] a channel that is hidden is like one that does not exist, and one without messages is refused', async () => {
      const hidden = await add('hidden');
      await post('evening', { to: hidden });
      await hide(hidden);
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

    test('[SE15][SE15a] of a community has the messages of all channels that the caller sees, the newest first', async () => {
      const [news, hidden] = [await add('news', 'announcements'), await add('hidden')];
      await add('posts', 'posts');
      await hide(hidden);
      const all: string[] = [];
      for (const [at, to] of [general, hidden, news, general, news, hidden].entries()) {
        all.unshift(`evening ${at}`);
        await post(`evening ${at}`, { to });
        if (at === 3) await index();
      }
      expect(await contents(inGarden({ q: 'evening' }))).toEqual(all);
      const seen = ['evening 4', 'evening 3', 'evening 2', 'evening 0'];
      for (const actor of [bob, ANYONE]) {
        expect(await contents(inGarden({ q: 'evening' }, actor))).toEqual(seen);
      }
      const [first, second] = await inGarden({ q: 'evening', limit: 2 }, bob);
      expect([first?.channel_id, second?.channel_id]).toEqual([news, general]);
      expect(await contents(inGarden({ q: 'evening', before: second?.id }, bob))).toEqual(
        seen.slice(2),
      );
      const closed = await own.garden(ada);
      const search = searchChannels(ctx, bob, { ...query({ q: 'a' }), communityId: closed.id });
      expect(await failureOf(search)).toBeInstanceOf(NotFoundError);
    });

    test('[SE16] finds what an author with an account has posted, and links', async () => {
      await post('by ada https://example.com');
      await post('by bob https://files.test/1', { by: bob });
      for (const step of [async () => {}, index]) {
        await step();
        expect(await contents(inChannel({ from: 'BOB' }))).toEqual(['by bob https://files.test/1']);
        expect(await inChannel({ q: 'by', from: 'nobody' })).toEqual([]);
        expect(await contents(inChannel({ has: 'link' }))).toEqual(['by ada https://example.com']);
        expect(await inChannel({ has: 'file' })).toEqual([]);
      }
    });

    test('[SE24] an index is rebuilt, whatever ends the work, and searches find everything meanwhile', async () => {
      await post('كَتَبَ في الكتاب');
      await post('KIŞ geldi');
      await index();
      const fresh = await words();
      const found = async () => {
        const [one, two] = [await inChannel({ q: 'كتب' }), await inChannel({ q: '"kış"' })];
        return [one.length, two.length];
      };
      const isOld = { كتب: 'كَتَبَ', kis: 'kıs' };
      for (const [word, old] of Object.entries(isOld)) {
        await own.database.transaction(({ sql }) =>
          sql
            .updateTable('channel_words')
            .set({ word: old })
            .where('channel_id', '=', general)
            .where('word', '=', word)
            .execute(),
        );
      }
      expect(await found()).toEqual([0, 0]);
      await rebuildSearch(ctx, OWNER);
      expect(await found()).toEqual([1, 1]);
      for (let steps = 1; steps <= 4; steps += 1) {
        await Promise.all([index(steps), index(steps)]);
        expect(await found()).toEqual([1, 1]);
      }
      await index();
      expect(await found()).toEqual([1, 1]);
      expect(await words()).toEqual(fresh);
    });

    test('[SE17] a message that was changed is found by its new words only, and one that was deleted is gone from the index', async () => {
      const first = await post('giraffe one');
      const second = await post('giraffe two');
      await changeChannelMessage(ctx, ada, { channel_id: general, id: first.id, content: 'lion' });
      await index();
      await changeChannelMessage(ctx, ada, { channel_id: general, id: first.id, content: 'zebra' });
      for (const step of [async () => {}, index]) {
        await step();
        expect(await contents(inChannel({ q: 'zebra' }))).toEqual(['zebra']);
        expect(await inChannel({ q: 'lion' })).toEqual([]);
        expect(await contents(inChannel({ q: 'gira' }))).toEqual(['giraffe two']);
      }
      expect((await words()).map(({ word }) => word)).not.toContain('lion');
      await deleteChannelMessage(ctx, ada, { channel_id: general, id: second.id });
      expect(await inChannel({ q: 'giraffe' })).toEqual([]);
      await index();
      expect((await words()).map(({ word }) => word)).not.toContain('giraffe');
      const { signal } = new AbortController();
      await deleteMessagesOf(ctx, { userId: ada.user_id, signal });
      await index();
      expect(await words()).toEqual([]);
      const left = own.database.reader.selectFrom('channel_index_changes').selectAll();
      expect(await left.execute()).toEqual([]);
    });

    test('[SE17] what was posted before there was an index is indexed, and a new index is the same', async () => {
      const count = 2 * CHANNEL_SIZES.small + 70;
      const texts = Array.from({ length: count }, (_, at) =>
        at % 200 === 0 ? `rare text${at}x` : `text${at}x everywhere`,
      );
      const ids = await write(texts);
      const rare = ids.filter((_, at) => at % 200 === 0).toReversed();
      const found = async (q: string, more: Partial<SearchInput> = {}) =>
        (await inChannel({ q, ...more })).map(({ id }) => id);
      const check = async () => {
        expect(await found('rare')).toEqual(rare);
        expect(await found('rar', { limit: 2 })).toEqual(rare.slice(0, 2));
        expect(await found('rare', { before: rare[1], after: rare[4] })).toEqual(rare.slice(2, 4));
        expect(await found('rare', { before: ids[199] })).toEqual(rare.slice(-1));
        expect(await found('text517x everywhere')).toEqual([ids[517] ?? general]);
        expect(await found('everywhere', { limit: 100 })).toEqual(
          ids
            .filter((_, at) => at % 200 !== 0)
            .slice(-100)
            .toReversed(),
        );
        expect(await found('text')).toHaveLength(50);
      };
      await check();
      await index();
      const before = await words();
      expect(new Set(before.map(({ block }) => Number(block)))).toEqual(new Set([0, 1, 2]));
      await check();
      await rebuildSearch(ctx, OWNER);
      await check();
      await index();
      expect(await words()).toEqual(before);
      await check();
      const { signal } = new AbortController();
      await purgeRows(own.database, TABLES, { of: 'channel', id: general, signal });
      expect(await words()).toEqual([]);
    }, 120_000);
  });
});
