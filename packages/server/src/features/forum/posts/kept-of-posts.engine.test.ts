import type { Id, OwnCommunity } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { indexSearch } from '@hearth/testing/instances/index-search';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { EXPORT_PARTS } from '../../../lists/exports.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { PURGERS, PURGERS_AFTER_ROWS } from '../../../lists/purgers.ts';
import { TABLES } from '../../../schema.ts';
import { changeChannel, deleteChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { createComment } from '../comments/create-comment.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { findPoints } from '../points/find-points.ts';
import { voteInPoll } from '../voting/vote-in-poll.ts';
import { purgeCommunities } from '../../communities/purge/purge-communities.ts';
import { voteComment, votePost } from '../voting/cast-vote.ts';
import { acceptAnswer } from '../comments/accept-answer.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { crosspost } from './crosspost.ts';
import { readPost, savePost } from './save-post.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Events on their way, what caches hear of, jobs and nonces name ids for a while. */
const PASSING = ['outbox', 'changes', 'jobs', 'used_nonces'];

onEachDatabase((open) => {
  describe('what is kept of posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      // Votes of new accounts give no points.
      own.clock.halt(2 * DAY_MS);
    });
    afterAll(() => own[Symbol.asyncDispose]());

    interface Filled {
      readonly garden: OwnCommunity;
      readonly channelId: Id;
      readonly post: Id;
      readonly comment: Id;
      readonly reply: Id;
      /** All that names it. */
      readonly ids: readonly Id[];
    }

    /** A channel with a post of Bob that has everything, and with what Ada and Bob have done with it. */
    const filled = async (): Promise<Filled> => {
      const { ctx } = own;
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      await joinCommunity(ctx, bob, { community_id: garden.id });
      const made = { community_id: garden.id, kind: 'posts', name: 'news' } as const;
      const { id: channelId } = await createChannel(ctx, ada, made);
      const tags = [{ name: 'Trees', colour: '#228833' }];
      const changed = await changeChannel(ctx, ada, { id: channelId, questions: true, tags });
      const { id: post } = await createPost(ctx, bob, {
        channel_id: channelId,
        title: 'Which oak?',
        content: 'I have two, @ada.',
        url: 'https://oaks.example/',
        tag_ids: changed.tags?.map(({ id }) => id) ?? [],
        spoiler: true,
        poll: { options: ['Old', 'New'], ends_at: own.clock.unixMs() + DAY_MS },
      });
      const { id: comment } = await createComment(ctx, bob, { post_id: post, content: 'Mine' });
      const answer = { post_id: post, parent_id: comment, content: 'Both' };
      const { id: reply } = await createComment(ctx, ada, answer);
      await votePost(ctx, ada, { id: post, value: 1 });
      await voteComment(ctx, ada, { id: comment, value: 1 });
      await voteComment(ctx, bob, { id: reply, value: -1 });
      await voteInPoll(ctx, bob, { id: post, option_ids: ['2' as Id] });
      for (const by of [ada, bob]) {
        await savePost(ctx, by, { id: post });
        await readPost(ctx, by, { id: post });
      }
      await changePost(ctx, ada, { id: post, pinned: true });
      await acceptAnswer(ctx, bob, { id: post, comment_id: reply });
      await indexSearch(ctx);
      return { garden, channelId, post, comment, reply, ids: [channelId, post, comment, reply] };
    };

    /** The tables in which one of the ids still is, in any column and form. */
    const tablesWith = async (ids: readonly Id[]): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const table of Object.keys(TABLES)) {
        if (PASSING.includes(table)) continue;
        const rows = await own.database.reader
          .selectFrom(table as 'posts')
          .selectAll()
          .execute();
        const words = new Set(JSON.stringify(rows).match(/[1-9]\d*/g));
        const padded = ids.some((id) => JSON.stringify(rows).includes(`0${id}"`));
        if (padded || ids.some((id) => words.has(id))) found.push(table);
      }
      return found.toSorted();
    };

    /** Purges, each time by a process that ends at its next transaction, until one gets to the end. */
    const purge = async (): Promise<number> => {
      for (let most = 0; ; most += 1) {
        let left = most;
        const database: InstanceContext['database'] = {
          ...own.ctx.database,
          async transaction(work) {
            if (left === 0) throw new Error('the process ended');
            left -= 1;
            return await own.ctx.database.transaction(work);
          },
        };
        // Guarantee: it needs nothing of the lobby.
        const job = purgeCommunities({ ...own.ctx, database } as InstanceContext, {
          purgers: PURGERS,
          afterRows: PURGERS_AFTER_ROWS,
          tables: TABLES,
        });
        const attempt = { id: '1', number: 1, signal: new AbortController().signal };
        const failure = await failureOf(job.run(undefined, attempt));
        if (failure === undefined) return most;
        expect(failure).toEqual(new Error('the process ended'));
      }
    };

    test('[CO19] nothing is left of the posts of a deleted community, however often its removal was interrupted', async () => {
      const [gone, kept] = [await filled(), await filled()];
      const before = await tablesWith(kept.ids);
      for (const table of ['posts', 'comments', 'votes', 'polls', 'poll_votes', 'post_saves']) {
        expect(before).toContain(table);
      }
      for (const table of ['search_entries', 'search_words']) expect(before).toContain(table);
      await own.database.transaction(({ sql }) =>
        sql
          .updateTable('communities')
          .set({ deleted_at_ms: own.clock.unixMs() })
          .where('id', '=', gone.garden.id)
          .execute(),
      );
      own.clock.halt(RESTORABLE_MS + 2 * HOUR_MS);
      expect(await purge()).toBeGreaterThan(10);
      await indexSearch(own.ctx);
      expect(await tablesWith([gone.garden.id, ...gone.ids])).toEqual([]);
      expect(await tablesWith(kept.ids)).toEqual(before);
      const { points, communities } = await findPoints(own.ctx, bob, { user_id: bob.user_id });
      expect(communities.map(({ id }) => id)).toEqual([kept.garden.id]);
      expect(points).toBe(communities[0]?.points ?? 0);
      expect(points).toBeGreaterThan(0);
    });

    test('[CO19] only what gave points is left of the posts of a deleted channel, however often its removal was interrupted', async () => {
      const gone = await filled();
      const made = { community_id: gone.garden.id, kind: 'posts', name: 'other' } as const;
      const other = await createChannel(own.ctx, ada, made);
      const repeated = await crosspost(own.ctx, ada, { id: gone.post, channel_id: other.id });
      const before = await findPoints(own.ctx, bob, { user_id: bob.user_id });
      await deleteChannel(own.ctx, ada, { id: gone.channelId });
      own.clock.halt(2 * HOUR_MS);
      expect(await purge()).toBeGreaterThan(10);
      await indexSearch(own.ctx);
      expect(await tablesWith(gone.ids)).toEqual([
        // What moderators did, and what gave points, stays as long as the community.
        'audit_entries',
        'point_ledger',
        // The post that repeats the one that is gone.
        'posts',
        'votes',
      ]);
      const votes = await own.database.reader.selectFrom('votes').selectAll().execute();
      const ofChannel = votes.filter((vote) => vote.channel_id === gone.channelId);
      expect(ofChannel.length).toBeGreaterThan(0);
      expect(ofChannel.every(({ points }) => Number(points) > 0)).toBe(true);
      expect(await findPoints(own.ctx, bob, { user_id: bob.user_id })).toEqual(before);
      const posts = await own.database.reader.selectFrom('posts').selectAll().execute();
      const naming = posts.filter((post) => JSON.stringify(post).includes(gone.post));
      expect(naming.map((post) => post.id.endsWith(repeated.id))).toEqual([true]);
    });

    test('[PO20, PL5] the archive of a person has their posts, comments, votes, choices in polls and saved posts', async () => {
      const { garden, channelId, post, comment, reply } = await filled();
      const parts = await Promise.all(
        // Guarantee: these need nothing of the lobby.
        EXPORT_PARTS.map((part) => part(own.ctx, bob.user_id)),
      );
      const read = async (name: string): Promise<unknown[]> => {
        const file = parts.flat().find((each) => each.name === name);
        const content = await file?.read();
        if (typeof content === 'string' || content === undefined) throw new Error(`no ${name}`);
        let text = '';
        for await (const chunk of content) text += String(chunk);
        return JSON.parse(text);
      };
      const created_at = own.clock.unixMs();
      expect((await read('posts.json')).at(-1)).toMatchObject({
        channel_id: channelId,
        id: post,
        title: 'Which oak?',
        content: 'I have two, @ada.',
        url: 'https://oaks.example/',
        poll: { options: [{ text: 'Old' }, { text: 'New' }] },
        created_at,
        tags: ['Trees'],
        spoiler: true,
        pinned: true,
      });
      expect((await read('comments.json')).at(-1)).toEqual({
        id: comment,
        post_id: post,
        content: 'Mine',
        created_at,
      });
      expect((await read('votes.json')).at(-1)).toEqual({
        channel_id: channelId,
        comment_id: reply,
        value: -1,
        created_at,
      });
      expect((await read('poll-votes.json')).at(-1)).toEqual({
        channel_id: channelId,
        post_id: post,
        options: ['New'],
        created_at,
      });
      expect((await read('saved-posts.json'))[0]).toEqual({ channel_id: channelId, id: post });
      // What moderators and its author did to it later, and where others come from.
      own.clock.halt(HOUR_MS);
      await changePost(own.ctx, bob, { id: post, title: 'Which oaks?' });
      await changePost(own.ctx, ada, { id: post, sensitive: true, locked: true });
      const talk = { community_id: garden.id, kind: 'messages', name: 'talk' } as const;
      const { id: talkId } = await createChannel(own.ctx, ada, talk);
      const said = await postMessage(own.ctx, ada, { channel_id: talkId, content: 'An ash' });
      const from_message = { channel_id: talkId, id: said.id };
      await createPost(own.ctx, bob, { channel_id: channelId, title: 'An ash', from_message });
      await crosspost(own.ctx, bob, { id: post, channel_id: channelId, title: 'Oaks again' });
      const [first, fromMessage, repeated] = (await read('posts.json')).slice(-3);
      expect(first).toMatchObject({
        title: 'Which oaks?',
        edited_at: created_at + HOUR_MS,
        sensitive: true,
        locked: true,
      });
      expect(fromMessage).toEqual({
        channel_id: channelId,
        id: expect.any(String),
        title: 'An ash',
        created_at: created_at + HOUR_MS,
        from_message,
      });
      expect(repeated).toMatchObject({ title: 'Oaks again', crosspost_of: post, sensitive: true });
      // Nothing that somebody else wrote.
      expect(JSON.stringify(await read('comments.json'))).not.toContain('Both');
    });
  });
});
