import {
  formatId,
  ID_EPOCH_SECONDS,
  type Id,
  type Notification,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { countedAttempts } from '@hearth/testing/counted-attempts';
import { endedOrWaiting } from '@hearth/testing/lock-waits';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { removeOverwrite, setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeCommunity } from '../../communities/communities/change-community.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity, removeMember } from '../../communities/members/leave-community.ts';
import { deleteChannelMessage } from '../messages/delete-message.ts';
import { postMessage } from '../messages/post-message.ts';
import { markChannel } from '../read-states/mark-channel.ts';
import { exportReading } from './export-reading.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotifications } from './mark-notifications.ts';
import { sendNotifications, sendStored } from './send-notifications.ts';

onEachDatabase((open) => {
  describe('notifications', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let channel_id: Id;
    let posted = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = { ...own.ctx, ids: idsFrom(newId) };
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      channel_id = garden.channels[0]?.id ?? garden.id;
      bob = await own.person(`bob${posted}`);
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      own.clock.advance(1_000);
      await sentToBob();
    });

    const newId = () => {
      const seconds = Math.floor(own.clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
      return formatId({ seconds, instanceId: 1, sequence: (posted += 1) });
    };
    const nameOf = async ({ user_id }: Account) => (await ctx.users.get(user_id)).username;
    const post = (by: Account, content: string, reply_to?: Id) =>
      postMessage(ctx, by, { channel_id, content, ...(reply_to !== undefined && { reply_to }) });
    const mention = async () => (await post(ada, `@${await nameOf(bob)}`)).id;
    const listed = (by = bob, rest: { before?: Id; after?: Id; limit?: number } = {}) =>
      listNotifications(ctx, by, { limit: 50, ...rest });
    const idsOf = async (found: Promise<readonly Notification[]>) =>
      (await found).map(({ id }) => id);
    const send = () => sendStored(ctx, 100);
    const sentToBob = async () => {
      await send();
      return await own.sentTo(bob);
    };
    const countRows = async () => {
      const rows = await own.database.reader
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', bob.user_id)
        .execute();
      return rows.length;
    };

    test('[RD16] a list about many communities of which nothing is remembered takes no more queries than one about two', async () => {
      for (let count = 0; count < 8; count += 1) {
        const { id, channels } = await own.garden(ada, { visibility: 'public' });
        await joinCommunity(own.ctx, bob, { community_id: id });
        const place = { channel_id: channels[0]?.id ?? id };
        await postMessage(ctx, ada, { ...place, content: `@${await nameOf(bob)}` });
      }
      const queriesOf = async (limit: number) => {
        let queries = 0;
        const reader = readerBefore(ctx.database.reader, async () => void (queries += 1));
        const database = { ...ctx.database, reader };
        const fresh = { ...ctx, database, ...own.stateOn(database) };
        expect(await listNotifications(fresh, bob, { limit })).toHaveLength(limit);
        return queries;
      };
      expect(await queriesOf(8)).toBe(await queriesOf(2));
    });

    test('[RD15] a process that has not heard that somebody was removed neither notifies nor mentions them', async () => {
      await using deaf = await own.another({ isDeaf: true });
      const elsewhere = { ...deaf, ids: ctx.ids };
      const say = (content: string) => postMessage(elsewhere, ada, { channel_id, content });
      const bobs = `@${await nameOf(bob)}`;
      const first = await say(`Hello ${bobs}`);
      expect(first.mentions).toHaveLength(1);
      const send = () => sendNotifications(elsewhere, elsewhere.unsentNotifications.take(Infinity));
      await send();
      const kick = { community_id: garden.id, user_id: bob.user_id };
      await removeMember(own.ctx, ada, kick);
      await own.sentTo(bob);
      const rows = await countRows();
      const secret = await say(`A secret for ${bobs}`);
      expect(secret.mentions).toBeUndefined();
      await send();
      const mentions = await own.database.reader
        .selectFrom('channel_mentions')
        .select('subject_id')
        .where('message_id', '=', secret.id)
        .execute();
      expect([mentions, await countRows(), await own.sentTo(bob)]).toEqual([[], rows, []]);
    });

    test('[RD15] a process that has not heard that somebody was removed sends them no reply', async () => {
      const hidden = { id: garden.id, visibility: 'private', join: 'invite' } as const;
      await changeCommunity(ctx, ada, hidden);
      await using deaf = await own.another({ isDeaf: true });
      const elsewhere = { ...deaf, ids: ctx.ids };
      const { id } = await post(bob, 'Goodbye');
      const send = () => sendNotifications(elsewhere, elsewhere.unsentNotifications.take(Infinity));
      const reply = (content: string) =>
        postMessage(elsewhere, ada, { channel_id, content, reply_to: id });
      await reply('You will be missed');
      await send();
      expect(await own.sentTo(bob)).toHaveLength(1);
      await removeMember(own.ctx, ada, { community_id: garden.id, user_id: bob.user_id });
      await own.sentTo(bob);
      await reply('A secret');
      await send();
      expect(await own.sentTo(bob)).toEqual([]);
    });

    test('[RD15] a message notifies once whom it mentions and to whom it replies, but not its author', async () => {
      const name = await nameOf(bob);
      const first = await post(bob, `I am @${name}`);
      const mentioned = await post(ada, `@${name} and @${name} and @ada and @all`);
      const replied = await post(ada, 'good evening', first.id);
      const both = await post(ada, `@${name}, good night`, first.id);
      await post(bob, 'to myself', first.id);
      const author = await ctx.users.get(ada.user_id);
      const about = (kind: 'mention' | 'reply', { id, created_at }: typeof first) => ({
        ...{ id, kind, user: author, community_id: garden.id, channel_id, message_id: id },
        created_at,
      });
      const all = [about('mention', mentioned), about('reply', replied), about('mention', both)];
      expect(await sentToBob()).toEqual(all.map((d) => ({ op: 'NOTIFICATION_CREATE', d })));
      // His own message is the newest that he has read.
      const read = all.map((each, at) => {
        const { content: excerpt } = [mentioned, replied, both][at] ?? first;
        return { ...each, excerpt, read: true as const };
      });
      expect(await listed()).toEqual(read.toReversed());
      expect(await listed(ada)).toEqual([]);
      expect(await idsOf(listed(bob, { limit: 1 }))).toEqual([both.id]);
      expect(await idsOf(listed(bob, { before: both.id, limit: 1 }))).toEqual([replied.id]);
      expect(await idsOf(listed(bob, { after: mentioned.id }))).toEqual([both.id, replied.id]);
    });

    test('[RD15] a person has at most 1,000 notifications', async () => {
      const rows = Array.from(
        { length: 1_000 },
        () =>
          ({
            ...{
              user_id: bob.user_id,
              kind: 'mention' as const,
              created_at_ms: 0,
              author_id: ada.user_id,
              post_id: '' as const,
              read: 0,
              sent: 1,
            },
            ...{ id: newId(), community_id: garden.id, channel_id },
          }) as const,
      );
      await own.database.transaction(({ sql }) =>
        sql.insertInto('notifications').values(rows).execute(),
      );
      const ids = [await mention(), await mention()];
      await send();
      expect(await countRows()).toBe(1_000);
      expect(await idsOf(listed(bob, { limit: 2 }))).toEqual(ids.toReversed());
    });

    test('[RD16] deleting a message does not deadlock with one elsewhere that removes old notifications', async () => {
      const eve = await own.person(`eve${posted}`);
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      const { id: other } = await createChannel(ctx, ada, {
        ...{ community_id: garden.id, kind: 'messages', name: 'other' },
      });
      const { id } = await post(ada, 'old');
      const about = {
        kind: 'mention',
        created_at_ms: 0,
        author_id: ada.user_id,
        post_id: '',
        read: 0,
        sent: 1,
      } as const;
      const where = { community_id: garden.id, channel_id };
      const ids = [id, ...Array.from({ length: 999 }, newId)];
      await own.database.transaction(async ({ sql }) => {
        for (const { user_id } of [eve, bob]) {
          const rows = ids.map((each) => {
            return { ...about, ...where, user_id, id: each };
          });
          await sql.insertInto('notifications').values(rows).execute();
        }
      });
      const deleting = countedAttempts(ctx);
      let deletion: Promise<unknown> | undefined;
      const sending = countedAttempts(ctx, async (stream) => {
        if (stream !== `u:${bob.user_id}`) return;
        deletion ??= deleteChannelMessage(deleting.ctx, ada, { channel_id, id });
        await endedOrWaiting(own.database, deletion);
      });
      const content = `@${await nameOf(bob)} @${await nameOf(eve)}`;
      await postMessage(ctx, ada, { channel_id: other, content });
      await sendStored(sending.ctx, 100);
      await deletion;
      expect([sending.attempts, deleting.attempts]).toEqual([1, 1]);
    });

    test('[RD16] messages that were deleted and channels that are hidden are left out, and a membership that ends takes its own along', async () => {
      const ids = [await mention(), await mention(), await mention()];
      const everyone = { id: channel_id, subject_id: garden.id } as const;
      await setOverwrite(ctx, ada, { ...everyone, kind: 'role', allow: [], deny: ['VIEW'] });
      expect(await listed()).toEqual([]);
      const unseen = { channel_id, content: `@${await nameOf(bob)}` };
      await postMessage(ctx, ada, unseen);
      await removeOverwrite(ctx, ada, everyone);
      await deleteChannelMessage(ctx, ada, { channel_id, id: ids[1] ?? channel_id });
      expect(await idsOf(listed())).toEqual([ids[2], ids[0]].flatMap((id) => id ?? []));
      expect(await countRows()).toBe(2);
      await leaveCommunity(ctx, bob, { community_id: garden.id });
      expect(await countRows()).toBe(0);
      expect(await listed()).toEqual([]);
    });

    test('[RD17] notifications are read up to the mark of the list, which moves forward, and to that of the channel', async () => {
      const ids = [await mention(), await mention(), await mention()];
      const [first, second, third] = ids;
      const unread = async () =>
        (await listed()).flatMap(({ id, read }) => (read === true ? [] : [ids.indexOf(id)]));
      const mark = async (last_read_id = '0' as Id) =>
        (await markNotifications(ctx, bob, { last_read_id })).last_read_id;
      await sentToBob();
      expect(await unread()).toEqual([2, 1, 0]);
      expect(await mark(first)).toBe(first ?? channel_id);
      expect(await mark()).toBe(first ?? channel_id);
      expect(await unread()).toEqual([2, 1]);
      await markChannel(ctx, bob, { channel_id, last_read_id: second ?? channel_id });
      expect(await unread()).toEqual([2]);
      const answers = await Promise.all([mark(newId()), mark(second), mark(third)]);
      expect(answers).toContain(third ?? channel_id);
      expect(await mark(newId())).toBe(third ?? channel_id);
      expect(await unread()).toEqual([]);
      const sent = (await sentToBob()).flatMap(({ op, d }) =>
        op === 'NOTIFICATION_READ' ? [ids.findIndex((id) => id === d['last_read_id'])] : [],
      );
      expect(sent).toEqual(sent.toSorted());
      expect([sent.at(0), sent.at(-1)]).toEqual([0, 2]);
    });

    test('[RD18] the archive of a person has what they have read and chosen, and their notifications', async () => {
      const id = await mention();
      const state = await markChannel(ctx, bob, { channel_id, last_read_id: id });
      // Guarantee: it needs nothing of the lobby.
      const files = await exportReading(ctx, bob.user_id);
      expect(files.map(({ name }) => name)).toEqual(['reading.json']);
      const content = await files[0]?.read();
      expect(typeof content === 'string' && JSON.parse(content)).toEqual({
        read_states: [state],
        notification_settings: [],
        notifications: await listed(),
      });
    });
  });
});
