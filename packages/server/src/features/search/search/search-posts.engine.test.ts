import {
  compareIds,
  ForbiddenError,
  NotFoundError,
  ValidationError,
  wordSplitter,
  type ChannelKind,
  type FoundAnywhere,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { indexSearch, wordsInIndex } from '@hearth/testing/instances/index-search';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, OWNER, type Actor, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { markCommunityDeleted } from '../../communities/structure/structure.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeComment } from '../../forum/comments/change-comment.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { findComment } from '../../forum/comments/find-comment.ts';
import { removeRest } from '../../forum/comments/remove-comments.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { changePost } from '../../forum/posts/change-post.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { listChannelPosts } from '../../forum/post-lists/list-posts.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { correctWords, readCorrection } from './correct-block.ts';
import { placeWord } from './index-words.ts';
import { hitOf, placeOf } from './blocks.ts';
import { hitsIn } from './hits-in.ts';
import { rebuildSearch, search, searchAll } from './search.ts';
import {
  noteOutdated,
  selectBlocksAfter,
  selectEntriesById,
  selectOutdatedBlocks,
} from './store.ts';
import type { SearchInput } from './wanted.ts';

onEachDatabase((open) => {
  describe('a search for posts and comments', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    let trees: Id;

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
      general = garden.channels.find(({ kind }) => kind === 'messages')?.id ?? expect.unreachable();
      trees = await add('trees');
      await joinCommunity(ctx, bob, { community_id: garden.id });
    });

    const add = async (name: string, kind: ChannelKind = 'posts') =>
      (await createChannel(ctx, ada, { community_id: garden.id, kind, name })).id;
    const post = (title: string, { by = ada, to = trees, ...more } = {} as PostGiven) =>
      createPost(ctx, by, { channel_id: to, title, ...more });
    const comment = (
      on: Id,
      content: string,
      { by = bob, parent = undefined as Id | undefined } = {},
    ) => createComment(ctx, by, { post_id: on, content, ...(parent && { parent_id: parent }) });
    const query = (input: Partial<SearchInput>) => ({ limit: 50, ...input });
    const posts = async (input: Partial<SearchInput>, actor: Actor = ada, id = trees) =>
      (await search(ctx, actor, { kind: 'posts', ...query(input), in: id })).found;
    const comments = async (input: Partial<SearchInput>, actor: Actor = ada, id = trees) =>
      (await search(ctx, actor, { kind: 'comments', ...query(input), in: id })).found;
    const titles = async (input: Partial<SearchInput>) =>
      (await posts(input)).map(({ title }) => title);
    const texts = async (input: Partial<SearchInput>) =>
      (await comments(input)).map(({ content }) => content);
    const index = () => indexSearch(ctx);
    /** The words of each post and comment in the index of the channel. */
    const words = async () =>
      (await wordsInIndex(own.database)).filter((each) => each.includes(placeWord(trees)));

    const answerOf = (entry: FoundAnywhere) => {
      if (entry.kind === 'posts') return entry.post;
      return entry.kind === 'comments' ? entry.comment : entry.message;
    };

    interface PostGiven {
      readonly by?: Account;
      readonly to?: Id;
      readonly content?: string;
      readonly url?: string;
    }

    test('[SE19][SE20] posts are found by their titles, texts and addresses, as lists show them', async () => {
      const oak = await post('The old oak', { content: 'grows slowly' });
      const elm = await post('An elm', { url: 'https://trees.test/elms' });
      await comment(oak.id, 'An oak and an elm');
      await index();
      const listed = await listChannelPosts(ctx, ada, {
        channel_id: trees,
        sort: 'new',
        limit: 50,
      });
      const inList = (id: Id) => listed.entries.find((each) => each.id === id);
      expect(await posts({ q: 'oak' })).toEqual([inList(oak.id) ?? expect.unreachable()]);
      expect((await posts({ q: 'elm' }, ANYONE)).map(({ id }) => id)).toEqual([elm.id]);
      expect(await titles({ q: 'slowly old' })).toEqual(['The old oak']);
      expect(await titles({ q: 'trees.test' })).toEqual(['An elm']);
      expect(await titles({ q: '"oak grows"' })).toEqual(['The old oak']);
      expect(await titles({ has: 'link' })).toEqual(['An elm']);
      expect(await titles({ from: 'ADA' })).toEqual(['An elm', 'The old oak']);
      expect(await titles({ from: 'bob' })).toEqual([]);
      expect(await titles({ from: 'ada', before: elm.id })).toEqual(['The old oak']);
      expect(await titles({ from: 'ada', after: oak.id })).toEqual(['An elm']);
      expect((await words()).flat()).toContain('slowly');
    });

    test('[SE19][SE21] comments are found by their texts, and deleted ones are not', async () => {
      const { id } = await post('An oak');
      const first = await comment(id, 'acorns fall');
      const reply = await comment(id, 'acorns grow', { by: ada, parent: first.id });
      await index();
      const found = await comments({ q: 'acorn' }, bob);
      expect(found.map((each) => each.id)).toEqual([reply.id, first.id]);
      const [shown] = await findComment(ctx, bob, { id: first.id, context: 0 });
      const of = { id, title: 'An oak', channel_id: trees, community_id: garden.id };
      expect(found.at(-1)).toEqual({ ...(shown ?? expect.unreachable()), post: of });
      expect(await texts({ q: 'acorns', from: 'bob' })).toEqual(['acorns fall']);
      expect(await texts({ q: 'oak' })).toEqual([]);
      expect(await texts({ from: 'bob', has: 'file' })).toEqual([]);
      await deleteComment(ctx, bob, { id: first.id });
      expect(await texts({ from: 'bob' })).toEqual([]);
      await index();
      expect(await texts({ q: 'acorn' })).toEqual(['acorns grow']);
      expect(await texts({ from: 'bob' })).toEqual([]);
      expect((await words()).flat()).not.toContain('fall');
    });

    test('[SE19] a community has what the caller sees, and channels that are hidden or of another kind have nothing', async () => {
      const [flowers, hidden] = [await add('flowers'), await add('hidden')];
      await setOverwrite(ctx, ada, {
        id: hidden,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
      for (const to of [trees, flowers, hidden]) {
        const { id } = await post(`rain on ${to}`, { to });
        await comment(id, `rain below ${to}`, { by: ada });
      }
      await postMessage(ctx, ada, { channel_id: general, content: 'rain' });
      const everywhere = { ...query({ q: 'rain' }), community: garden.id };
      await index();
      for (const kind of ['posts', 'comments'] as const) {
        const all = (await search(ctx, ada, { kind, ...everywhere })).found;
        expect(all.map((each) => each.channel_id)).toEqual([hidden, flowers, trees]);
        const seen = (await search(ctx, ANYONE, { kind, ...everywhere })).found;
        expect(seen.map((each) => each.channel_id)).toEqual([flowers, trees]);
        const unknown = await ctx.ids.next();
        for (const channelId of [hidden, unknown]) {
          const failure = await failureOf(
            search(ctx, bob, { kind, ...query({ q: 'a' }), in: channelId }),
          );
          expect(failure).toBeInstanceOf(NotFoundError);
        }
        const wrong = search(ctx, bob, { kind, ...query({ q: 'a' }), in: general });
        expect(await failureOf(wrong)).toEqual(
          new ValidationError('in', 'must be a channel with posts'),
        );
      }
      const messages = (await search(ctx, bob, { kind: 'messages', ...everywhere })).found;
      expect(messages.map(({ content }) => content)).toEqual(['rain']);
    });

    test('[SE19][SE25a][SE25b] a search for all kinds finds what a channel, a community or the lobby has, the newest first', async () => {
      const hidden = await add('hidden');
      await setOverwrite(ctx, ada, {
        id: hidden,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
      const secret = await post('hidden hail', { to: hidden });
      const said = await postMessage(ctx, bob, { channel_id: general, content: 'hail' });
      const oak = await post('hail on trees');
      const reply = await comment(oak.id, 'hail below');
      await index();
      const found = async (where: Partial<Parameters<typeof searchAll>[2]>, by: Actor = bob) =>
        (await searchAll(ctx, by, { ...query({ q: 'hail' }), ...where })).found;
      const kinds = async (...given: Parameters<typeof found>) =>
        (await found(...given)).map(({ kind, id }) => `${kind} ${id}`);
      const ofTrees = [`comments ${reply.id}`, `posts ${oak.id}`];
      const ofGeneral = `messages ${said.id}`;
      expect(await kinds({ in: trees })).toEqual(ofTrees);
      expect(await kinds({ in: general })).toEqual([ofGeneral]);
      expect(await kinds({ in: 'lobby' })).toEqual([]);
      const inGarden = { community: garden.id };
      for (const by of [bob, ANYONE]) {
        expect(await kinds(inGarden, by)).toEqual([...ofTrees, ofGeneral]);
      }
      const hiddenToo = await kinds({ ...inGarden, before: oak.id }, ada);
      expect(hiddenToo).toEqual([ofGeneral, `posts ${secret.id}`]);
      expect(await kinds({ in: trees, limit: 1 })).toEqual(ofTrees.slice(0, 1));
      expect(await kinds({ in: trees, from: 'ada' })).toEqual(ofTrees.slice(1));
      expect(await failureOf(found({ in: hidden }))).toBeInstanceOf(NotFoundError);
      for (const entry of await found(inGarden)) {
        const input = { ...query({ q: 'hail' }), kind: entry.kind, ...inGarden };
        const [alone = expect.unreachable()] = (await search(ctx, bob, input)).found;
        expect(answerOf(entry)).toEqual(alone);
      }
    });

    test('[SE25] a search over everything finds nothing in a deleted community, and nothing without the access code', async () => {
      await post('A larch');
      await index();
      const everywhere = async (at = ctx) =>
        (await searchAll(at, ada, { ...query({ q: 'larch' }), in: 'all' })).found;
      expect((await everywhere()).map(({ kind }) => kind)).toEqual(['posts']);
      const { restrictions, settings } = ctx;
      const coded = {
        ...restrictions.latest,
        isNothing: false,
        accessCode: { isSame: () => false },
      };
      const outside = {
        ...ctx,
        settings: { ...settings, lobby: 'off' as const },
        restrictions: { ...restrictions, guesses: restrictions.guesses, current: () => coded },
      };
      expect(await failureOf(everywhere(outside))).toBeInstanceOf(ForbiddenError);
      await own.database.transaction(async (tx) => {
        await markCommunityDeleted(tx.sql, garden.id, ctx.clock.unixMs());
        tx.changed('communities', garden.id);
      });
      expect(await everywhere()).toEqual([]);
    });

    test('[SE15] channels that are hidden from somebody have nothing, however many these are', async () => {
      await post('A rowan');
      await index();
      const blocks = (
        await own.database.reader.selectFrom('search_blocks').select('block').execute()
      ).map(({ block }) => block);
      const hidden = Array.from({ length: 700 }, (_, at) => placeWord(`${at + 1}` as Id));
      const seek = { words: ['rowan'], pairs: [], beginning: undefined, anyOf: [] };
      const found = async (noneOf: readonly string[]) =>
        (await hitsIn(own.database.reader, blocks, { ...seek, noneOf })).hits;
      expect((await found([])).size).toBe(1);
      expect(await found(hidden)).toEqual(await found([]));
      expect((await found([...hidden, placeWord(trees)])).size).toBe(0);
    });

    test('[SE9] where few things are left, these are compared, and no words are looked up that begin with a character', async () => {
      await post('A rowan', { content: 'and roses' });
      await index();
      const blocks = (
        await own.database.reader.selectFrom('search_blocks').select('block').execute()
      ).map(({ block }) => block);
      const seek = { words: [], pairs: [], anyOf: [[placeWord(trees)]], noneOf: [] };
      const costOf = async (beginning: string) =>
        (await hitsIn(own.database.reader, blocks, { ...seek, beginning })).cost;
      expect(await costOf('r')).toBe(1);
      // One for the place, and one for each word.
      expect(await costOf('ro')).toBe(3);
    });

    test('[SE9] others run while many hits of frequent words are looked through', async () => {
      const blocks = [9_001, 9_002, 9_003, 9_004];
      const hits = Array.from({ length: 20_000 }, (_, at) => `${hitOf(at)}${placeOf(at)}`).join('');
      await own.database.transaction(({ sql }) =>
        sql
          .insertInto('search_words')
          .values(blocks.flatMap((block) => ['a', 'b'].map((word) => ({ block, word, hits }))))
          .execute(),
      );
      let turns = 0;
      const counting = setInterval(() => (turns += 1), 0);
      const seek = { words: ['a', 'b'], pairs: [['a', 'b']] as const, beginning: undefined };
      await hitsIn(own.database.reader, blocks, { ...seek, anyOf: [], noneOf: [] });
      clearInterval(counting);
      // SQLite alone takes no turn, so each is between two blocks.
      expect(turns).toBeGreaterThan(1);
      await own.database.transaction(({ sql }) =>
        sql.deleteFrom('search_words').where('block', 'in', blocks).execute(),
      );
    });

    test('[SE22] an index follows changes and deletions, and a new one is the same', async () => {
      const { id } = await post('A willow', { content: 'weeps' });
      const other = await post('A beech');
      const first = await comment(id, 'willows drink');
      await index();
      await changePost(ctx, ada, { id, title: 'A poplar', content: 'trembles' });
      await changeComment(ctx, bob, { id: first.id, content: 'poplars whisper' });
      expect([await titles({ q: 'willow' }), await texts({ q: 'willow' })]).toEqual([[], []]);
      await index();
      expect(await titles({ q: 'poplar' })).toEqual(['A poplar']);
      expect(await texts({ q: 'poplar' })).toEqual(['poplars whisper']);
      const before = await words();
      expect(before.flat()).not.toContain('willow');
      await rebuildSearch(ctx, OWNER);
      expect(await titles({ q: 'poplar' })).toEqual(['A poplar']);
      await index();
      expect(await words()).toEqual(before);
      await deletePost(ctx, ada, { id });
      await deletePost(ctx, ada, { id: other.id });
      expect(await titles({ q: 'poplar' })).toEqual([]);
      // A job removes the comments later.
      expect(await texts({ q: 'poplar' })).toEqual([]);
      const { signal } = new AbortController();
      await removeRest(ctx, { channelId: trees, postId: id, signal });
      expect(await texts({ q: 'poplar' })).toEqual([]);
      await index();
      expect(await words()).toEqual([]);
    });

    test('[SE12][SE22] long posts are indexed in several steps', async () => {
      const long = (name: string) =>
        Array.from({ length: 3_000 }, (_, at) => `${name}${at}`)
          .join(' ')
          .slice(0, 4_500);
      await index();
      for (const name of ['a', 'b', 'c']) await post(name, { content: long(name) });
      let steps = 0;
      const pause = async () => {
        steps += 1;
      };
      await indexSearch(ctx, { pause });
      expect(steps).toBe(2);
      for (const name of ['a', 'b', 'c']) expect(await titles({ q: `${name}77` })).toEqual([name]);
      expect((await words()).flat()).toContain('c77');
    });

    test('[SE17a] a correction takes a part of long entries, and leaves one that was changed since', async () => {
      const content = 'tree '.repeat(7_999);
      const ids: Id[] = [];
      for (let at = 0; at < 12; at += 1) ids.push((await post(`Long ${at}`, { content })).id);
      await index();
      const { database } = own;
      const [block] = await selectBlocksAfter(database.reader, { block: 0, limit: 1 });
      if (block === undefined) expect.unreachable();
      const located = await selectEntriesById(database.reader, [block], ids);
      const positions = located.map(({ position }) => position);
      await database.transaction((tx) => noteOutdated(tx.sql, block, positions));
      const [outdated] = await selectOutdatedBlocks(database.reader);
      const correction = await readCorrection(
        database.reader,
        outdated ?? expect.unreachable(),
        wordSplitter(),
      );
      expect([correction.changed.size, correction.isAll]).toEqual([10, false]);
      const [{ id } = expect.unreachable()] = correction.changed.values();
      await changePost(ctx, ada, { id, content: 'A giraffe' });
      await indexSearch(ctx, { steps: 1 });
      for (let after: string | undefined = ''; after !== undefined;) {
        const from: string = after;
        after = await database.transaction((tx) => correctWords(tx, correction, from));
      }
      expect((await posts({ q: 'giraffe' })).map((each) => each.id)).toEqual([id]);
      expect(await selectOutdatedBlocks(database.reader)).toHaveLength(1);
      await index();
      expect(await selectOutdatedBlocks(database.reader)).toEqual([]);
      expect(await posts({ q: 'giraffe tree' })).toEqual([]);
    });

    test('[SE22] a post or comment with an id that the index has passed is found', async () => {
      const { id } = await post('A birch');
      const drawn = await ctx.ids.next();
      const other = await post('A maple');
      await index();
      // Two processes draw ids, and the one that has drawn the earlier id writes last.
      await using late = await own.another();
      const ids = { ...ctx.ids, next: async () => drawn };
      const written = await createComment({ ...late, ids }, bob, { post_id: id, content: 'late' });
      expect([written.id, compareIds(written.id, other.id) < 0]).toEqual([drawn, true]);
      await index();
      expect(await texts({ q: 'late' })).toEqual(['late']);
    });
  });
});
