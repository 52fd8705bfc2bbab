import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Actor, type Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { createPost } from '../posts/create-post.ts';
import { deletePost } from '../posts/delete-post.ts';
import { addPolls, requireEnd, describePolls } from '../polls/add-polls.ts';
import { erasePollVotes, exportPollVotes } from '../polls/choices-of-person.ts';
import { clearPoll, deletePoll } from '../polls/store.ts';
import { voteInPoll } from './vote-in-poll.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((open) => {
  describe('polls', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let channelId: Id;
    let post: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const asked = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      ({ id: channelId } = await createChannel(own.ctx, ada, asked));
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(() => ask());

    /** A post with a poll. */
    const ask = async (multiple = false) => {
      post = await own.ctx.ids.next();
      const nowMs = own.clock.unixMs();
      const place = { id: post, channelId, communityId: garden.id };
      await storePost(own.database, { ...place, userId: ada.user_id, createdAtMs: nowMs });
      const poll = { options: ['Roses', 'Tulips', 'Weeds'], multiple, ends_at: nowMs + HOUR_MS };
      await own.database.transaction((tx) => addPolls(tx, [{ post: place, poll }]));
    };
    // Guarantee: the schema of the route makes ids of texts like these.
    const choose = (by: Account, ...ids: readonly string[]) =>
      voteInPoll(own.ctx, by, { id: post, option_ids: ids as Id[] });
    const seenBy = async (actor: Actor) => (await describePolls(own.ctx, actor, [post])).get(post);
    const countsFor = async (actor: Actor) =>
      (await seenBy(actor))?.options.map(({ votes }) => votes);
    const hidden = [undefined, undefined, undefined];
    // Guarantee: nothing else of it is used.
    const instance = () => own.ctx;
    const { signal } = new AbortController();

    test('[PL1] a poll ends at least a minute and at most 366 days from now', async () => {
      const day = 24 * HOUR_MS;
      const endsIn = (ms: number) => () => requireEnd({ options: [], ends_at: 1_000 + ms }, 1_000);
      for (const ms of [60_000, 366 * day]) expect(endsIn(ms)).not.toThrow();
      for (const ms of [59_999, 366 * day + 1]) expect(endsIn(ms)).toThrow(ValidationError);
      const ids = (await seenBy(ada))?.options.map(({ id, text }) => [Number(id), text]);
      expect(ids).toEqual([
        [1, 'Roses'],
        [2, 'Tulips'],
        [3, 'Weeds'],
      ]);
    });

    test('[PL1] a poll is made with its post, and sent with it', async () => {
      const poll = { options: ['Roses', 'Tulips'], ends_at: own.clock.unixMs() + HOUR_MS };
      await own.emitted();
      const input = { channel_id: channelId, title: 'Which?' };
      const created = await createPost(own.ctx, ada, { ...input, poll });
      const options = poll.options.map((text, at) => ({ id: String(at + 1), text }));
      expect<unknown>(created.poll).toEqual({ options, ends_at: poll.ends_at });
      const [sent] = (await own.emitted()).filter(({ event }) => event?.op === 'POST_CREATE');
      expect<unknown>(sent?.event?.d).toMatchObject({ id: created.id, poll: created.poll });
      const late = { ...poll, ends_at: own.clock.unixMs() };
      const failure = await failureOf(createPost(own.ctx, ada, { ...input, poll: late }));
      expect(failure).toBeInstanceOf(ValidationError);
      await deletePost(own.ctx, ada, { id: created.id });
      expect((await describePolls(own.ctx, ada, [created.id])).size).toBe(0);
    });

    test('[PL2][PL2a] those who may vote choose one option, or several if they may, and change it until the end', async () => {
      expect(await choose(bob, '1')).toMatchObject({ my_votes: ['1'] });
      expect(await choose(bob, '2', '2')).toMatchObject({ my_votes: ['2'] });
      expect(await countsFor(bob)).toEqual([0, 1, 0]);
      expect(await failureOf(choose(bob, '1', '2'))).toBeInstanceOf(ValidationError);
      expect(await failureOf(choose(bob, '4'))).toBeInstanceOf(ValidationError);
      expect(await choose(bob)).not.toHaveProperty('my_votes');
      await ask(true);
      await choose(bob, '1', '3');
      await choose(ada, '3');
      expect(await countsFor(ada)).toEqual([1, 0, 2]);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('posts').set({ locked: 1 }).execute(),
      );
      expect(await failureOf(choose(bob, '2'))).toBeInstanceOf(ForbiddenError);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('posts').set({ locked: 0 }).execute(),
      );
      own.clock.halt(HOUR_MS);
      const late = await failureOf(choose(bob, '2'));
      expect(late).toBeInstanceOf(ConflictError);
      expect(late).toMatchObject({ data: { code: 'poll_ended' } });
    });

    test('[PL3] how many chose what is shown to those who have chosen, and to everyone after the end', async () => {
      await choose(bob, '1');
      expect(await countsFor(ada)).toEqual(hidden);
      expect(await countsFor(ANYONE)).toEqual(hidden);
      expect(await countsFor(bob)).toEqual([1, 0, 0]);
      await choose(bob);
      expect(await countsFor(bob)).toEqual(hidden);
      await choose(bob, '3');
      own.clock.halt(HOUR_MS);
      expect(await countsFor(ANYONE)).toEqual([0, 0, 1]);
      expect(await own.emitted()).not.toContainEqual(
        expect.objectContaining({ event: expect.objectContaining({ op: 'POST_UPDATE' }) }),
      );
    });

    test('[PL4] what is shown equals what is stored after many choose at once', async () => {
      await ask(true);
      const choices = [['1'], ['2', '3'], [], ['3'], ['1', '3']] as const;
      await Promise.all([ada, bob].flatMap((by) => choices.map((some) => choose(by, ...some))));
      const rows = await own.database.reader.selectFrom('poll_votes').selectAll().execute();
      const stored = rows
        .filter(({ post_id: id }) => id.endsWith(post))
        .map(({ options }): readonly string[] => JSON.parse(options));
      own.clock.halt(HOUR_MS);
      const counted = ['1', '2', '3'].map(
        (id) => stored.filter((each) => each.includes(id)).length,
      );
      expect(await countsFor(ANYONE)).toEqual(counted);
    });

    test('[PL5] the choices of a deleted account are taken back, an archive has them, and a poll goes with its post', async () => {
      await choose(bob, '1');
      await choose(ada, '1');
      const [file] = await exportPollVotes(instance(), bob.user_id);
      const text = (await Array.fromAsync((await file?.read()) ?? [])).join('');
      const created_at = own.clock.unixMs();
      expect(JSON.parse(text).at(-1)).toEqual({
        channel_id: channelId,
        post_id: post,
        options: ['Roses'],
        created_at,
      });
      const account = { userId: bob.user_id, content: 'keep', signal } as const;
      for (let round = 0; round < 2; round += 1) await erasePollVotes(instance(), account);
      expect(await countsFor(ada)).toEqual([1, 0, 0]);
      await clearPoll(own.ctx, { postId: post, signal });
      await own.database.transaction((tx) => deletePoll(tx.sql, post));
      expect(await seenBy(ada)).toBeUndefined();
      expect(await failureOf(choose(ada, '1'))).toBeInstanceOf(NotFoundError);
    });
  });
});
