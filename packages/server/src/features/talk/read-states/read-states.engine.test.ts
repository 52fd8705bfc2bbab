import {
  firstMark,
  ForbiddenError,
  formatId,
  ID_EPOCH_SECONDS,
  NotFoundError,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { deleteChannel } from '../../communities/channels/change-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { deleteChannelMessage } from '../messages/delete-message.ts';
import { postMessage } from '../messages/post-message.ts';
import { createRole } from '../../communities/roles/create-role.ts';
import { listReadStates } from './find-read-states.ts';
import { markChannel } from './mark-channel.ts';
import { markCommunity } from './mark-community.ts';
import { markOwn } from './store.ts';

onEachDatabase((open) => {
  describe('read states', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    let posted = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      general = garden.channels[0]?.id ?? garden.id;
      other = general;
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      own.clock.advance(1_000);
      await sentToBob();
    });

    /** An identifier of this moment. */
    const newId = () => {
      const seconds = Math.floor(own.clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
      return formatId({ seconds, instanceId: 1, sequence: (posted += 1) });
    };
    /** Ada posts a message. */
    const post = async (channel_id = general, content = 'good evening') => {
      const ctx = { ...own.ctx, ids: idsFrom(newId) };
      return (await postMessage(ctx, ada, { channel_id, content })).id;
    };
    const mark = (last_read_id: Id, rest: { unread?: true; channel_id?: Id } = {}) =>
      markChannel(own.ctx, bob, { channel_id: general, last_read_id, ...rest });
    const listed = async (actor = bob) => {
      const states = await listReadStates(own.ctx, actor);
      return states.filter(({ channel_id: id }) => id === general || id === other);
    };
    let other: Id;
    const addChannel = async () => {
      const input = { community_id: garden.id, kind: 'messages', name: 'other' } as const;
      other = (await createChannel(own.ctx, ada, input)).id;
      await sentToBob();
      return other;
    };
    const hide = (id: Id) =>
      setOverwrite(own.ctx, ada, {
        id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
    const sentToBob = () => own.sentTo(bob);
    const state = (last_read_id: Id, channel_id = general) => ({
      channel_id,
      last_read_id,
      mentions: 0,
    });

    test('[RD1][RD1a] a mark moves forward to the newest message at most, and every device is sent what has changed', async () => {
      const [first, second] = [await post(), await post()];
      expect(await mark(first)).toEqual(state(first));
      expect(await mark(first)).toEqual(state(first));
      expect(await mark(newId())).toEqual(state(second));
      expect(await mark(first)).toEqual(state(second));
      const updates = [first, second].map((id) => ({ op: 'READ_UPDATE', d: state(id) }));
      expect(await sentToBob()).toEqual(updates);
      expect(await listed()).toEqual([state(second)]);
    });

    test('[RD2] a member who has not opened a channel has read what is older than the second in which they joined', async () => {
      const { joined_at: joinedAt } = garden.membership;
      const first = firstMark(joinedAt);
      expect(await mark('0' as Id)).toEqual(state(first));
      const id = await post();
      expect(await mark('0' as Id)).toEqual(state(first));
      expect(await listed()).toEqual([]);
      expect(await mark(id)).toEqual(state(id));
    });

    test('[RD3] a channel that is marked as unread is set back, until it is read or marked again', async () => {
      const [first, second] = [await post(), await post()];
      await mark(second);
      expect(await mark(first, { unread: true })).toEqual(state(first));
      expect(await mark(first, { unread: true })).toEqual(state(first));
      expect(await listed()).toEqual([state(first)]);
      await mark(second);
      const updates = [second, first, second].map((id) => ({ op: 'READ_UPDATE', d: state(id) }));
      expect(await sentToBob()).toEqual(updates);
    });

    test('[RD4] marks of several devices at once end at the greatest, and are sent in their order', async () => {
      const ids: Id[] = [];
      for (let count = 0; count < 8; count += 1) ids.push(await post());
      const shuffled = [3, 7, 1, 6, 0, 5, 2, 4].flatMap((at) => ids.slice(at, at + 1));
      const answers = await Promise.all(shuffled.map((id) => mark(id)));
      const last = ids.at(-1);
      expect(await listed()).toMatchObject([{ last_read_id: last }]);
      // Nobody is answered with less than what they have marked.
      answers.forEach(({ last_read_id: answered }, at) => {
        expect(ids.indexOf(answered)).toBeGreaterThanOrEqual(ids.indexOf(shuffled[at] ?? answered));
      });
      const sent = (await sentToBob()).map(({ d }) =>
        ids.findIndex((id) => id === d['last_read_id']),
      );
      expect(sent).toEqual(sent.toSorted((one, next) => one - next));
      expect(sent.at(-1)).toBe(7);
      await using again = await own.database.openAgain();
      const rows = await again.reader
        .selectFrom('read_states')
        .select('last_read_id')
        .where('user_id', '=', bob.user_id)
        .where('channel_id', '=', general)
        .execute();
      expect(rows).toEqual([{ last_read_id: last ?? expect.unreachable() }]);
    });

    test('[RD5] a community is marked as read in all channels that the member sees, with one event', async () => {
      await addChannel();
      const hidden = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'messages',
        name: 'hidden',
      });
      await hide(hidden.id);
      const [inGeneral, inOther] = [await post(), await post(other)];
      await post(hidden.id);
      await sentToBob();
      const read = () => markCommunity(own.ctx, bob, { community_id: garden.id });
      const states = await read();
      expect(states).toEqual([state(inGeneral), state(inOther, other)]);
      expect(await read()).toEqual([]);
      expect(await listed()).toEqual(expect.arrayContaining([...states]));
      expect(await sentToBob()).toEqual([
        { op: 'READ_UPDATE_MANY', d: { community_id: garden.id, read_states: states } },
      ]);
      const next = await post(other);
      const both = await Promise.all([read(), read()]);
      expect(both.flat()).toEqual([state(next, other)]);
    });

    test('[RD6] a message moves the mark of its author, also if they had marked the channel as unread', async () => {
      const [first, second] = [await post(), await post()];
      expect(await listed(ada)).toEqual([state(second)]);
      const back = { channel_id: general, last_read_id: first, unread: true } as const;
      expect(await markChannel(own.ctx, ada, back)).toEqual(state(first));
      const third = await post();
      expect(await listed(ada)).toEqual([state(third)]);
    });

    test('[RD13] a read state counts the newer messages that mention the member by name, by a role or with all, each once', async () => {
      const role = await createRole(own.ctx, ada, {
        ...{ community_id: garden.id, name: 'gardeners', mentionable: true },
        ...{ hoisted: false, self_assignable: false, permissions: [] },
      });
      const give = (role_ids: Id[]) =>
        changeMember(own.ctx, ada, { community_id: garden.id, user_id: bob.user_id, role_ids });
      await give([role.id]);
      await addChannel();
      await post(general, '@bob');
      const both = await post(general, '@all and @bob');
      const toRole = await post(general, 'the @gardeners meet');
      await post(general, 'nobody but @ada');
      await post(other, 'see you, @bob');
      const first = firstMark(garden.membership.joined_at);
      const unread = (mentions: number, channel_id: Id) => ({
        ...state(first, channel_id),
        mentions,
      });
      const sorted = async () =>
        (await listed()).toSorted((one, next) => one.mentions - next.mentions);
      expect(await sorted()).toEqual([unread(1, other), unread(3, general)]);
      const after = async (id: Id) => (await mark(id, { unread: true })).mentions;
      expect(await after(both)).toBe(1);
      expect(await sentToBob()).toContainEqual({
        op: 'READ_UPDATE',
        d: { ...state(both), mentions: 1 },
      });
      expect(await after('0' as Id)).toBe(3);
      await give([]);
      expect(await after(first)).toBe(2);
      await give([role.id]);
      await deleteChannelMessage(own.ctx, ada, { channel_id: general, id: both });
      expect((await listed()).find(({ channel_id: id }) => id === general)?.mentions).toBe(2);
      expect(await after(toRole)).toBe(0);
    });

    test('[RD14] mentions are counted up to 100, and no more of them are kept', async () => {
      const rows = Array.from({ length: 150 }, () => ({
        subject_id: bob.user_id,
        channel_id: general,
        message_id: newId(),
      }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('channel_mentions').values(rows).execute(),
      );
      const counted = async () => (await listed()).map(({ mentions }) => mentions);
      expect(await counted()).toEqual([100]);
      expect((await mark('0' as Id)).mentions).toBe(100);
      const id = await post(general, '@bob');
      expect(await counted()).toEqual([100]);
      expect((await mark('0' as Id, { unread: true })).mentions).toBe(100);
      const kept = await own.database.reader
        .selectFrom('channel_mentions')
        .select('message_id')
        .where('subject_id', '=', bob.user_id)
        .where('channel_id', '=', general)
        .orderBy('message_id', 'desc')
        .execute();
      expect(kept.map((row) => row.message_id)).toEqual([
        id,
        ...rows
          .slice(51)
          .map((row) => row.message_id)
          .toReversed(),
      ]);
    });

    test('[RD7] read states of channels that were deleted or hidden are not shown, and a membership that ends takes its own along', async () => {
      await addChannel();
      const [inGeneral, inOther] = [await post(), await post(other)];
      await mark(inGeneral);
      await mark(inOther, { channel_id: other });
      await hide(other);
      expect(await listed()).toEqual([state(inGeneral)]);
      await deleteChannel(own.ctx, ada, { id: other });
      const count = async () => {
        const rows = await own.database.reader
          .selectFrom('read_states')
          .select('channel_id')
          .where('user_id', '=', bob.user_id)
          .where('community_id', '=', garden.id)
          .execute();
        return rows.length;
      };
      expect(await count()).toBe(2);
      await addChannel();
      // A channel that is opened for the first time is the occasion to forget those that are gone.
      await mark(await post(other), { channel_id: other });
      expect(await count()).toBe(2);
      await leaveCommunity(own.ctx, bob, { community_id: garden.id });
      expect(await count()).toBe(0);
      expect(await listed()).toEqual([]);
      // As if a message of Bob had been on its way meanwhile.
      const late = { userId: bob.user_id, communityId: garden.id, channelId: general };
      await own.database.transaction((tx) => markOwn(tx, [{ ...late, lastReadId: inGeneral }]));
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      expect(await listed()).toEqual([]);
    });

    test('[RD8] only members mark what they see: a hidden channel, a category and what does not exist are the same', async () => {
      await addChannel();
      const id = await post();
      await post(other);
      await hide(other);
      const category = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'category',
        name: 'beds',
      });
      for (const channel_id of [other, category.id, newId()]) {
        expect(await failureOf(mark(id, { channel_id }))).toEqual(new NotFoundError());
      }
      const eve = await own.person(`eve${posted}`);
      const given = { channel_id: general, last_read_id: id };
      const refused = new ForbiddenError({ code: 'not_member' });
      expect(await failureOf(markChannel(own.ctx, eve, given))).toEqual(refused);
      const all = markCommunity(own.ctx, eve, { community_id: garden.id });
      expect(await failureOf(all)).toEqual(refused);
      const closed = await own.garden(ada);
      const nowhere = markCommunity(own.ctx, eve, { community_id: closed.id });
      expect(await failureOf(nowhere)).toEqual(new NotFoundError());
    });
  });
});
