import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failingAt } from '@hearth/testing/ports/failing-statement';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { removeOverwrite, setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { deleteChannelMessage } from '../messages/delete-message.ts';
import { postMessage } from '../messages/post-message.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { readPost } from '../../forum/posts/save-post.ts';
import { listNotifications } from './list-notifications.ts';
import { NotificationSender } from './notification-sender.ts';
import { sendNotifications, sendStored } from './send-notifications.ts';
import { UnsentNotifications } from './unsent-notifications.ts';

const log = jsonLogger('silent', () => {});

onEachDatabase((open, engine) => {
  describe('sending notifications', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: Id;
    let channel_id: Id;
    let people = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      const made = await own.garden(ada, { visibility: 'public' });
      garden = made.id;
      channel_id = made.channels[0]?.id ?? garden;
      people += 1;
      bob = await own.person(`bob${people}`);
      await joinCommunity(own.ctx, bob, { community_id: garden });
      own.ctx.unsentNotifications.take(Infinity);
      await own.emitted();
    });

    const mention = async (ctx = own.ctx) =>
      (await postMessage(ctx, ada, { channel_id, content: `@bob${people}` })).id;
    const sent = async () =>
      (await own.sentTo(bob)).flatMap(({ op, d }) =>
        op === 'NOTIFICATION_CREATE' ? [d['id'] as Id] : [],
      );
    /** Returns what is in the outbox for Bob, without taking it away. */
    const inOutbox = async () => {
      const rows = await own.database.reader
        .selectFrom('outbox')
        .select('entry')
        .where('stream', '=', `u:${bob.user_id}`)
        .orderBy('number')
        .execute();
      return rows.map(({ entry }) => JSON.parse(entry).event.d.id as Id);
    };
    const sendNoted = (ctx: InstanceContext) =>
      sendNotifications(ctx, ctx.unsentNotifications.take(Infinity));

    test('[RD22] a notification is listed as soon as its message is stored, and sent afterwards', async () => {
      const id = await mention();
      const listed = await listNotifications(own.ctx, bob, { limit: 10 });
      expect(listed.map((each) => each.id)).toEqual([id]);
      expect(await sent()).toEqual([]);
      expect(await sendNoted(own.ctx)).toBe(1);
      expect(await sent()).toEqual([id]);
      expect(await sendStored(own.ctx, 10)).toBe(0);
    });

    test('[RD22] a message does not wait for others who send something to those whom it notifies', async () => {
      if (engine === 'sqlite') return;
      const { promise: isPosted, resolve } = Promise.withResolvers<void>();
      const sending = own.ctx.database.transaction(async (tx) => {
        const stream = `u:${bob.user_id}` as const;
        const event = { op: 'NOTIFICATION_READ', d: { last_read_id: garden } } as const;
        await tx.emit({ stream, event }, { subject: stream });
        await isPosted;
      });
      await Promise.race([
        mention(),
        Bun.sleep(1_500).then(() => Promise.reject(new Error('waits'))),
      ]);
      resolve();
      await sending;
    });

    test('[RD22] several processes that send the same notifications at once send each of them once', async () => {
      await using other = await own.anotherServer();
      const ids = [];
      for (let count = 0; count < 20; count += 1) ids.push(await mention());
      const ctxs = [own.ctx, other, own.ctx, other];
      await Promise.all(ctxs.map((ctx) => sendStored(ctx, 50)));
      expect(await sendStored(own.ctx, 50)).toBe(0);
      expect(await sent()).toEqual(ids);
    });

    test('[RD22] what a process has left unsent when it ended is sent by another one', async () => {
      await using ending = await own.anotherServer();
      const id = await mention({ ...ending, unsentNotifications: new UnsentNotifications() });
      await using _sender = new NotificationSender({ ...own.ctx, log });
      const isSent = (...ids: readonly Id[]) =>
        until(async () => {
          own.clock.advance(1_000);
          return Bun.deepEquals(await inOutbox(), ids);
        });
      await isSent(id);
      const next = await mention();
      await isSent(id, next);
      await using another = await own.anotherServer();
      // Nobody here is notified of it.
      const elsewhere = { ...another, unsentNotifications: new UnsentNotifications() };
      await isSent(id, next, await mention(elsewhere));
    });

    test('[RD22] a notification is not sent if its message was deleted, the membership has ended, or the channel is hidden', async () => {
      const deleted = await mention();
      await deleteChannelMessage(own.ctx, ada, { channel_id, id: deleted });
      expect(await sendNoted(own.ctx)).toBe(0);
      const hidden = await mention();
      const everyone = { id: channel_id, subject_id: garden } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, kind: 'role', allow: [], deny: ['VIEW'] });
      await sendNoted(own.ctx);
      await removeOverwrite(own.ctx, ada, everyone);
      const left = await mention();
      await leaveCommunity(own.ctx, bob, { community_id: garden });
      expect(await sendNoted(own.ctx)).toBe(0);
      expect(await sendStored(own.ctx, 10)).toBe(0);
      expect(await sent()).toEqual([]);
      expect(new Set([deleted, hidden, left]).size).toBe(3);
    });

    describe('about a comment', () => {
      let post_id: Id;

      beforeEach(async () => {
        const given = { community_id: garden, kind: 'posts', name: 'posts' } as const;
        const { id } = await createChannel(own.ctx, ada, given);
        post_id = (await createPost(own.ctx, bob, { channel_id: id, title: 'Roses' })).id;
        await createComment(own.ctx, ada, { post_id, content: 'Red' });
        await own.emitted();
      });

      test('[RD22] a notification is not sent if the post was deleted', async () => {
        await deletePost(own.ctx, bob, { id: post_id });
        await sendNoted(own.ctx);
        expect(await sent()).toEqual([]);
        expect(await sendStored(own.ctx, 10)).toBe(0);
      });

      if (engine === 'postgres') {
        test('[RD21][RD22] a notification that is read while it is being sent is sent as read', async () => {
          const { database } = own.ctx;
          let isRead = false;
          const readMeanwhile = withQueues({
            ...database,
            transaction: (work, options) =>
              database.transaction((tx) => {
                const takeNumbers = async () => {
                  if (!isRead) await readPost(own.ctx, bob, { id: post_id });
                  isRead = true;
                  await tx.takeNumbers();
                };
                return work({ ...tx, sql: tx.sql, takeNumbers });
              }, options),
          });
          expect(await sendNoted({ ...own.ctx, database: readMeanwhile })).toBe(1);
          const events = (await own.sentTo(bob)).filter(({ op }) => op.startsWith('NOTIFICATION_'));
          expect(events.map(({ op, d }) => [op, d['read']])).toEqual([
            ['NOTIFICATION_UPDATE', true],
            ['NOTIFICATION_CREATE', true],
          ]);
        });
      }
    });

    test('[RD22] notifications that cannot be sent are sent later', async () => {
      const id = await mention();
      const { database } = own.ctx;
      const failing = withQueues({
        ...database,
        transaction: (work, options) =>
          database.transaction((tx) => work(failingAt(tx, bob.user_id)), options),
      });
      const unsent = own.ctx.unsentNotifications.take(Infinity);
      const failed = sendNotifications({ ...own.ctx, database: failing }, unsent);
      expect(await failed.catch(() => 'failed')).toBe('failed');
      expect(await sent()).toEqual([]);
      expect(await sendStored(own.ctx, 10)).toBe(1);
      expect(await sent()).toEqual([id]);
    });
  });
});
