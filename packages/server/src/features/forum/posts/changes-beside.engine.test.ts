import type { Channel, Id, OwnCommunity, Post } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { countWaiting } from '@hearth/testing/lock-waits';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { holdTurns } from '../../platform/turns/turns.ts';
import { holdWriting, waitForRules } from '../../communities/structure/hold-rules.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { createComment } from '../comments/create-comment.ts';
import { deleteComment } from '../comments/delete-comment.ts';
import { deleteCommentsOf } from '../comments/delete-comments-of.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { listChannelMessages } from '../../talk/messages/list-messages.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { acceptAnswer } from '../comments/accept-answer.ts';
import { announcePostPreviews } from './previews.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { findPost } from './complete-posts.ts';
import { unlinkPost } from './unlink-post.ts';

onEachDatabase((open) => {
  describe('changes of a post beside others', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let channel: Channel;
    let id: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** A channel of questions, and a post of Bob in it. */
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      for (const each of [bob, eve]) {
        await joinCommunity(own.ctx, each, { community_id: garden.id });
      }
      channel = await make({ kind: 'posts', name: 'news', questions: true });
      ({ id } = await createPost(own.ctx, bob, { channel_id: channel.id, title: 'Basil' }));
    });

    const make = (given: Omit<Parameters<typeof createChannel>[2], 'community_id'>) =>
      createChannel(own.ctx, ada, { community_id: garden.id, ...given });
    const comment = (content: string) => createComment(own.ctx, eve, { post_id: id, content });
    const signal = AbortSignal.any([]);

    /** Does something else after what comes next has been read, and right before its first transaction, or a later one. */
    function beside(meanwhile: () => Promise<unknown>, first = 1): InstanceContext {
      let count = 0;
      const transaction: InstanceContext['database']['transaction'] = async (work) => {
        count += 1;
        if (count === first) await meanwhile();
        return await own.ctx.database.transaction(work);
      };
      return { ...own.ctx, database: withQueues({ ...own.ctx.database, transaction }) };
    }

    const mention = () => changePost(own.ctx, bob, { id, content: 'Ask @eve' });
    /** Returns what was sent of changes of the post. */
    const sent = async () =>
      (await own.emitted())
        // Guarantee: these events have posts.
        .flatMap(({ event }) => (event?.op === 'POST_UPDATE' ? [event.d as Post] : []))
        .filter((post) => post.id === id);
    async function expectWhole() {
      const last = (await sent()).at(-1);
      expect(last).toEqual(await findPost(own.ctx, ada, { id }));
      expect(last?.mentions).toEqual([{ id: eve.user_id, username: 'eve' }]);
    }

    test('[PO14][PO14a] a change has everyone whom another change mentions at the same time', async () => {
      await changePost(beside(mention), ada, { id, spoiler: true });
      await expectWhole();
    });

    test('[PO14] an accepted answer comes with everyone whom a change mentions at the same time', async () => {
      const { id: answer } = await comment('Sun.');
      await acceptAnswer(beside(mention), bob, { id, comment_id: answer });
      await expectWhole();
    });

    test('[PO14] a deleted answer comes with everyone whom a change mentions at the same time', async () => {
      const { id: answer } = await comment('Sun.');
      await acceptAnswer(own.ctx, bob, { id, comment_id: answer });
      // The first transaction finds out that it is the answer.
      await deleteComment(beside(mention, 2), eve, { id: answer });
      await expectWhole();
    });

    /** Counts the numbers of the events of a channel that have no event, since the channel was made. */
    async function gaps(channelId: Id) {
      const { reader } = own.database;
      const { number } = await reader
        .selectFrom('turns')
        .select('number')
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow();
      const rows = await reader
        .selectFrom('outbox')
        .select('number')
        .where('subject', '=', channelId)
        .execute();
      return Number(number) - rows.length;
    }

    test('[PO5] previews of a post that changes or is deleted at the same time leave no gap in its channel', async () => {
      await announcePostPreviews(beside(mention), [id]);
      expect((await findPost(own.ctx, ada, { id })).version).toBe(3);
      await announcePostPreviews(
        beside(() => deletePost(own.ctx, bob, { id })),
        [id],
      );
      expect(await gaps(channel.id)).toBe(0);
    });

    test('[PO5] a change that somebody else makes at the same time is sent once', async () => {
      const lock = (ctx: InstanceContext) => changePost(ctx, ada, { id, locked: true });
      await lock(beside(() => lock(own.ctx)));
      expect(await gaps(channel.id)).toBe(0);
      expect(await sent()).toMatchObject([{ locked: true, version: 2 }]);
    });

    test('[PO5] a link that is taken back twice leaves no gap in the channel', async () => {
      const { id: talk } = await make({ kind: 'messages', name: 'talk' });
      const place = { channel_id: talk };
      const message = await postMessage(own.ctx, bob, { ...place, content: 'Basil?' });
      const from = { from_message: { ...place, id: message.id } };
      const made = { channel_id: channel.id, title: 'Basil', ...from };
      const { id: postId } = await createPost(own.ctx, bob, made);
      await deleteChannelMessage(own.ctx, bob, { ...place, id: message.id });
      const attempt = { id: 'unlink', number: 1, signal };
      const unlink = (ctx: InstanceContext) => unlinkPost(ctx).run({ post_id: postId }, attempt);
      await unlink(beside(() => unlink(own.ctx)));
      const found = await findPost(own.ctx, ada, { id: postId });
      expect(found).not.toHaveProperty('from_message');
      expect(found.version).toBe(2);
      expect(await gaps(channel.id)).toBe(0);
    });

    test('[PO5] an answer whose post is deleted at the same time leaves no gap in the channel', async () => {
      const { id: answer } = await comment('Sun.');
      await acceptAnswer(own.ctx, bob, { id, comment_id: answer });
      const ctx = beside(() => deletePost(own.ctx, bob, { id }), 2);
      await deleteCommentsOf(ctx, { userId: eve.user_id, communityId: garden.id, signal });
      expect(await gaps(channel.id)).toBe(0);
      const gone = await failureOf(deleteComment(own.ctx, eve, { id: answer }));
      expect(gone).toHaveProperty('status', 404);
    });

    test('[CT8] a deleted answer and a change of what people may do never wait for each other', async () => {
      const { id: answer } = await comment('Sun.');
      await acceptAnswer(own.ctx, bob, { id, comment_id: answer });
      if (own.database.engine === 'sqlite') return;
      const holdsRules = Promise.withResolvers<void>();
      let tries = 0;
      const change = () =>
        own.database.transaction(async (tx) => {
          tries += 1;
          await waitForRules(tx, garden.id);
          holdsRules.resolve();
          await until(async () => (await countWaiting(own.database)) !== 0);
          await holdWriting(tx, garden.id);
        });
      let changing: Promise<void> | undefined;
      const ctx = beside(async () => {
        changing = change();
        await holdsRules.promise;
      }, 2);
      const counting: InstanceContext['database']['transaction'] = (work) =>
        ctx.database.transaction((tx) => {
          tries += 1;
          return work(tx);
        });
      const database = withQueues({ ...ctx.database, transaction: counting });
      await deleteComment({ ...ctx, database }, ada, { id: answer });
      await changing;
      // One of two that wait for each other is tried again.
      expect(tries).toBe(3);
    });

    test('[PO17][SC40] a post with a card and a change of several channels never wait for each other', async () => {
      if (own.database.engine === 'sqlite') return;
      const { id: talk } = await make({ kind: 'messages', name: 'talk' });
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const holdsOne = Promise.withResolvers<void>();
      let tries = 0;
      const change = () =>
        own.database.transaction(async (tx) => {
          tries += 1;
          await waitForRules(tx, garden.id);
          await holdTurns(tx, [talk]);
          holdsOne.resolve();
          await until(async () => (await countWaiting(own.database)) !== 0);
          await holdTurns(tx, [channel.id]);
        });
      let changing: Promise<void> | undefined;
      const ctx = beside(async () => {
        changing = change();
        await holdsOne.promise;
      });
      const counting: InstanceContext['database']['transaction'] = (work) =>
        ctx.database.transaction((tx) => {
          tries += 1;
          return work(tx);
        });
      const database = withQueues({ ...ctx.database, transaction: counting });
      await createPost({ ...ctx, database }, bob, { channel_id: channel.id, title: 'Sage' });
      await changing;
      expect(tries).toBe(2);
    });

    test('[PO17] a card that may not be shown any more leaves no gap in its channel', async () => {
      const { id: talk } = await make({ kind: 'messages', name: 'talk' });
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const everyone = { subject_id: garden.id, kind: 'role' } as const;
      const ctx = beside(() =>
        setOverwrite(own.ctx, ada, { ...everyone, id: talk, allow: [], deny: ['VIEW'] }),
      );
      const made = await createPost(ctx, bob, { channel_id: channel.id, title: 'Sage' });
      expect((await findPost(own.ctx, bob, { id: made.id })).title).toBe('Sage');
      expect(await listChannelMessages(own.ctx, ada, { channel_id: talk, limit: 10 })).toEqual([]);
      expect(await gaps(talk)).toBe(0);
      expect(await gaps(channel.id)).toBe(0);
    });
  });
});
