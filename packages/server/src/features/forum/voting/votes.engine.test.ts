import {
  ForbiddenError,
  NotFoundError,
  type Id,
  type NewCommunity,
  type OwnCommunity,
  type PostSettingsChange,
  type VoteInput,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storeComment, storePost } from '@hearth/testing/stored-posts';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Account } from '../../../actor.ts';
import { memorySignals } from '../../../ports/signals/memory.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import { listAuditLog } from '../../communities/audit-log/list-audit-log.ts';
import { liftBan, setBan } from '../../communities/bans/set-ban.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { removeMember } from '../../communities/members/leave-community.ts';
import { giveForAnswer, takeForAnswer } from '../points/accepted-answers.ts';
import { findPointRules, findPoints } from '../points/find-points.ts';
import { findProfile } from '../../accounts/users/find-profile.ts';
import { ranksOf } from '../posts/ranks.ts';
import { POST_SIGNAL, type PostSignal } from '../posts/post-signal.ts';
import { voteComment, votePost } from './cast-vote.ts';
import { eraseVotes } from './erase-votes.ts';
import { exportVotes } from '../votes/export-votes.ts';
import { selectVotesOf } from '../votes/store.ts';
import { listCommentVotes, listPostVotes } from './list-votes.ts';
import { purgeVotes } from './purge-votes.ts';
import { deleteVotesFor } from '../votes/store.ts';
import { ScoreNews } from './score-news.ts';

const DAY_MS = 86_400_000;

onEachDatabase((open) => {
  describe('votes', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let channelId: Id;
    let post: Id;
    let comment: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
      own.clock.halt(2 * DAY_MS);
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      // What somebody gave another one before would make the next vote give less.
      await own.database.transaction(async ({ sql }) => {
        await sql.deleteFrom('votes').execute();
        await sql.deleteFrom('member_points').execute();
      });
      await plant({ visibility: 'public', join: 'open' });
    });

    /** A garden of Ada with Bob in it, and a post of hers with a comment. */
    const plant = async (input: Partial<NewCommunity>) => {
      garden = await own.garden(ada, input);
      const asked = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      ({ id: channelId } = await createChannel(own.ctx, ada, asked));
      if (input.join === 'open') await joinCommunity(own.ctx, bob, { community_id: garden.id });
      post = await newPost();
      comment = await own.ctx.ids.next();
      await storeComment(own.database, { ...written(), id: comment }, { postId: post });
    };
    const written = () => ({
      channelId,
      communityId: garden.id,
      userId: ada.user_id,
      createdAtMs: own.clock.unixMs(),
    });
    const newPost = async () => {
      const id = await own.ctx.ids.next();
      await storePost(own.database, { ...written(), id });
      return id;
    };
    const vote = (by: Account, value: VoteInput['value'], id = post) =>
      votePost(own.ctx, by, { id, value });
    const onComment = (by: Account, value: VoteInput['value']) =>
      voteComment(own.ctx, by, { id: comment, value });
    const settings = (change: PostSettingsChange) =>
      changeChannel(own.ctx, ada, { id: channelId, ...change });
    const stored = (id = post) =>
      own.database.reader
        .selectFrom('posts')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const rows = (id = post) =>
      own.database.reader.selectFrom('votes').selectAll().where('subject_id', '=', id).execute();
    const codeOf = async (promise: Promise<unknown>) => {
      const error = await failureOf(promise);
      return error instanceof ForbiddenError ? error.data?.['code'] : error;
    };
    const pointsOf = async (person = ada) => {
      const { communities } = await findPoints(own.ctx, ada, { user_id: person.user_id });
      return communities.find(({ id }) => id === garden.id)?.points ?? 0;
    };
    // Guarantee: nothing else of it is used.
    const instance = () => own.ctx;
    const { signal } = new AbortController();

    test('[VO1] a vote counts once, can be changed and taken back, and to repeat it changes nothing', async () => {
      const one = { score: 1, upvotes: 1, downvotes: 0, my_vote: 1 } as const;
      expect(await vote(bob, 1)).toEqual(one);
      expect(await vote(bob, 1)).toEqual(one);
      expect(await vote(ada, 1)).toEqual({ score: 2, upvotes: 2, downvotes: 0, my_vote: 1 });
      expect(await vote(bob, -1)).toEqual({ score: 0, upvotes: 1, downvotes: 1, my_vote: -1 });
      expect(await vote(bob, 0)).toEqual({ score: 1, upvotes: 1, downvotes: 0 });
      expect(await vote(bob, 0)).toEqual({ score: 1, upvotes: 1, downvotes: 0 });
      expect(await onComment(bob, -1)).toEqual({
        score: -1,
        upvotes: 0,
        downvotes: 1,
        my_vote: -1,
      });
      const mine = await selectVotesOf(own.ctx.database.reader, bob.user_id, [post, comment]);
      expect([...mine]).toEqual([[comment, -1]]);
    });

    test('[VO2] the totals equal the votes after many at once, and the ranks follow', async () => {
      await Promise.all(
        [ada, bob, eve].flatMap((by) =>
          ([1, -1, 0, 1, -1] as const).map((value) => vote(by, value)),
        ),
      );
      const votes = await rows();
      const upvotes = votes.filter(({ value }) => Number(value) === 1).length;
      const downvotes = votes.length - upvotes;
      const row = await stored();
      expect([row.upvotes, row.downvotes].map(Number)).toEqual([upvotes, downvotes]);
      const createdAtMs = Number(row.created_at_ms);
      const ranks = ranksOf({ upvotes, downvotes, createdAtMs, activeAtMs: 0 });
      const { score, hot, active, controversial } = row;
      expect({ score: Number(score), hot, active, controversial }).toEqual(ranks);
    });

    test('[VO3] members with VOTE vote, others only if the community lets them discuss, and nobody what they do not see', async () => {
      expect((await vote(eve, 1)).my_vote).toBe(1);
      expect(await failureOf(vote(bob, 1, channelId))).toBeInstanceOf(NotFoundError);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('comments').set({ deleted_at_ms: 1 }).execute(),
      );
      expect(await failureOf(onComment(bob, 1))).toBeInstanceOf(NotFoundError);
      await plant({ visibility: 'public', join: 'request' });
      expect(await codeOf(vote(eve, 1))).toBe('not_member');
      await plant({ visibility: 'private' });
      expect(await failureOf(vote(eve, 1))).toBeInstanceOf(NotFoundError);
    });

    test('[VO4] nobody who was removed, banned or timed out votes any more, not even on a process that does not know it yet', async () => {
      await using other = await own.another({ isDeaf: true });
      const place = { community_id: garden.id, user_id: bob.user_id };
      const voteThere = () => votePost(other, bob, { id: post, value: 1 });
      await votePost(other, bob, { id: post, value: -1 });
      await changeMember(own.ctx, ada, {
        ...place,
        timed_out_until: own.clock.unixMs() + DAY_MS,
      });
      expect(await codeOf(voteThere())).toBe('timed_out');
      await changeMember(own.ctx, ada, { ...place, timed_out_until: null });
      await setBan(own.ctx, ada, place);
      expect(await codeOf(voteThere())).toBe('not_member');
      await liftBan(own.ctx, ada, place);
      await plant({ visibility: 'public', join: 'open' });
      await using again = await own.another({ isDeaf: true });
      await votePost(again, bob, { id: post, value: -1 });
      await settings({ downvotes: false });
      await changeChannel(own.ctx, ada, { id: channelId, topic: 'x' });
      await own.ctx.communities.read(garden.id);
      const removed = { community_id: garden.id, user_id: bob.user_id };
      await removeMember(own.ctx, ada, removed);
      // In an open community they still vote as everybody does.
      expect((await votePost(again, bob, { id: post, value: 0 })).score).toBe(0);
    });

    test('[VO5][VO5a] nobody votes for a locked post, and nobody down if that is switched off', async () => {
      await vote(eve, -1);
      await settings({ downvotes: false });
      expect(await codeOf(vote(bob, -1))).toBe('downvotes_off');
      expect((await vote(bob, 1)).score).toBe(0);
      expect((await vote(eve, 0)).score).toBe(1);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('posts').set({ locked: 1 }).execute(),
      );
      expect(await codeOf(vote(eve, 1))).toBe('post_locked');
      expect(await codeOf(onComment(eve, 1))).toBe('post_locked');
      expect(await rows()).toHaveLength(1);
    });

    test('[VO6] scores are hidden at first, but not from the ranks', async () => {
      await settings({ hide_scores_seconds: 60 });
      const until = own.clock.unixMs() + 60_000;
      expect(await vote(bob, 1)).toEqual({ scores_hidden_until: until, my_vote: 1 });
      expect(Number((await stored()).score)).toBe(1);
      own.clock.halt(60_000);
      expect(await vote(bob, 1)).toEqual({ score: 1, upvotes: 1, downvotes: 0, my_vote: 1 });
    });

    test('[VO7] members with VIEW_VOTES list who voted, and the audit log says that they looked', async () => {
      for (const by of [ada, bob, eve]) await vote(by, 1);
      await onComment(bob, -1);
      const list = async (query: object = {}) =>
        (await listPostVotes(own.ctx, ada, { id: post, limit: 50, ...query })).map(
          ({ user }) => user.username,
        );
      expect(await list()).toEqual(['eve', 'bob', 'ada']);
      expect(await list({ before: eve.user_id, limit: 1 })).toEqual(['bob']);
      expect(await list({ after: ada.user_id, limit: 1 })).toEqual(['bob']);
      const [mine] = await listCommentVotes(own.ctx, ada, { id: comment, limit: 50 });
      expect(mine).toMatchObject({ value: -1, cast_at: own.clock.unixMs() });
      const query = { community_id: garden.id, action: 'votes_view', limit: 100 } as const;
      const log = await listAuditLog(own.ctx, ada, query);
      expect(log.map(({ target }) => target?.kind)).toEqual(['comment', 'post', 'post', 'post']);
      const page = { id: post, limit: 50 };
      expect(await codeOf(listPostVotes(own.ctx, bob, page))).toBe('permission_missing');
      expect(await codeOf(listPostVotes(own.ctx, eve, page))).toBe('not_member');
      expect(await listAuditLog(own.ctx, ada, query)).toHaveLength(4);
    });

    /** Records what votes send from now on: the streams of their totals; and whether totals were looked up since. */
    function listening() {
      const sent: string[] = [];
      const signals = memorySignals({ clock: own.clock, log: own.ctx.log });
      signals.listen(({ kind, d }: Signal) => {
        if (kind === POST_SIGNAL) sent.push((d as PostSignal).stream);
      });
      let isTicked = false;
      const communities = {
        all: async (ids: readonly Id[]) => {
          const found = await own.ctx.communities.all(ids);
          // After what is done with it.
          setImmediate(() => {
            isTicked = true;
          });
          return found;
        },
      };
      const scores = new ScoreNews();
      const noting: Pick<ScoreNews, 'note'> = {
        note: (ctx, noted) => scores.note({ ...ctx, communities }, noted),
      };
      const ctx = { ...own.ctx, signals, scores: noting };
      return { ctx, sent, ticked: () => isTicked };
    }

    test('[VO8] watchers are sent new totals at most once a second, and the last ones in any case', async () => {
      const sent: (object | undefined)[] = [];
      const signals = memorySignals({ clock: own.clock, log: own.ctx.log });
      const ctx = { ...own.ctx, signals, scores: new ScoreNews() };
      signals.listen(({ kind, d }: Signal) => {
        if (kind !== POST_SIGNAL) return;
        const { event } = d as PostSignal;
        if (event.op === 'SCORE_UPDATE' && event.d.post_id === post) sent.push(event.d);
      });
      const totals = (upvotes: number) => ({
        post_id: post,
        score: upvotes,
        upvotes,
        downvotes: 0,
      });
      for (const by of [ada, bob, eve]) await votePost(ctx, by, { id: post, value: 1 });
      expect(sent).toEqual([totals(1)]);
      await until(async () => {
        own.clock.advance(250);
        return sent.length === 2;
      });
      expect(sent).toEqual([totals(1), totals(3)]);
      own.clock.halt(5_000);
      await settings({ hide_scores_seconds: 86_400 });
      await votePost(ctx, ada, { id: post, value: 0 });
      expect(sent).toHaveLength(2);
    });

    test('[VO8] totals that are sent later go to those who see the channel by then', async () => {
      const { ctx, sent } = listening();
      for (const by of [ada, bob]) await votePost(ctx, by, { id: post, value: 1 });
      const deny = { kind: 'role' as const, allow: [], deny: ['VIEW' as const] };
      await setOverwrite(own.ctx, ada, { id: channelId, subject_id: garden.id, ...deny });
      await until(async () => {
        own.clock.advance(250);
        return sent.length === 2;
      });
      expect(sent).toEqual([`c:${garden.id}`, `r:${channelId}`]);
    });

    test('[VO8] totals that became hidden are not sent', async () => {
      const { ctx, sent, ticked } = listening();
      for (const by of [ada, bob]) await votePost(ctx, by, { id: post, value: 1 });
      await settings({ hide_scores_seconds: 86_400 });
      await until(() => {
        own.clock.advance(250);
        return Promise.resolve(ticked());
      });
      expect(sent).toHaveLength(1);
    });

    test('[VO9] the votes of a deleted account are taken back, with their points, and an archive has them', async () => {
      for (const by of [bob, eve]) await vote(by, 1);
      await onComment(bob, -1);
      expect(await pointsOf()).toBe(2);
      const [file] = await exportVotes(instance(), bob.user_id);
      const text = await Array.fromAsync((await file?.read()) ?? []);
      const nowMs = own.clock.unixMs();
      expect(JSON.parse(text.join('')).slice(-2)).toEqual([
        { channel_id: channelId, post_id: post, value: 1, created_at: nowMs },
        { channel_id: channelId, comment_id: comment, value: -1, created_at: nowMs },
      ]);
      const account = { userId: bob.user_id, content: 'keep', signal } as const;
      for (let round = 0; round < 2; round += 1) await eraseVotes(instance(), account);
      expect(await vote(eve, 1)).toMatchObject({ score: 1, upvotes: 1 });
      expect(await rows(comment)).toEqual([]);
      expect(await pointsOf()).toBe(1);
    });

    test('[VO10][PP4] votes go with what was deleted, but for those that gave points', async () => {
      await vote(bob, 1);
      await vote(eve, -1);
      await vote(ada, 1);
      await own.database.transaction(async (tx) => {
        await tx.sql.deleteFrom('posts').where('id', '=', post).execute();
        await deleteVotesFor(tx.sql, [post]);
      });
      expect((await rows()).map(({ points }) => Number(points))).toEqual([1_000]);
      expect(await pointsOf()).toBe(1);
      await eraseVotes(instance(), { userId: ada.user_id, content: 'erase', signal });
      expect(await rows()).toEqual([]);
    });

    test('[VO10] votes go with the channel that they were cast in, but for those that gave points', async () => {
      for (const [by, value] of [
        [bob, 1],
        [eve, -1],
        [ada, 1],
      ] as const)
        await vote(by, value);
      const { channel_id: channelId } = await own.database.reader
        .selectFrom('votes')
        .select('channel_id')
        .where('subject_id', '=', post)
        .executeTakeFirstOrThrow();
      const purged = { communityId: garden.id, channelId: channelId, signal };
      await purgeVotes(instance(), purged);
      expect((await rows()).map(({ points }) => Number(points))).toEqual([1_000]);
      expect(await pointsOf()).toBe(1);
    });

    test('[PP1] a vote up gives a point, and a vote down, for oneself or of a new account gives none', async () => {
      await vote(ada, 1);
      await vote(bob, -1);
      expect(await pointsOf()).toBe(0);
      const newcomer = await own.person(`new${garden.id}`);
      await vote(newcomer, 1);
      expect(await pointsOf()).toBe(0);
      await vote(eve, 1);
      expect(await pointsOf()).toBe(1);
      await vote(bob, 1);
      expect(await pointsOf()).toBe(2);
    });

    test('[PP2] each further vote of one person for the same author gives half, and a vote that is changed gives again', async () => {
      const cyd = await own.person(`cyd${garden.id}`);
      own.clock.halt(DAY_MS);
      const posts = await Array.fromAsync({ length: 11 }, newPost);
      const given: number[] = [];
      for (const id of posts) {
        const before = await pointsOf();
        await vote(cyd, 1, id);
        given.push(Math.round(((await pointsOf()) - before) * 1_000));
      }
      expect(given).toEqual([1_000, 500, 250, 125, 62, 31, 15, 7, 3, 1, 0]);
      const [first] = posts;
      await vote(cyd, -1, first);
      expect(await pointsOf()).toBe(0.994);
      await vote(cyd, 1, first);
      expect(await pointsOf()).toBe(0.995);
      own.clock.halt(31 * DAY_MS);
      await vote(cyd, 1);
      expect(await pointsOf()).toBe(1.995);
    });

    test('[PP3] an accepted answer gives points once, and takes them back', async () => {
      const answer = async (askedBy = ada) => ({
        id: await own.ctx.ids.next(),
        communityId: garden.id,
        askedBy: askedBy.user_id,
        answeredBy: bob.user_id,
        commentId: comment,
        nowMs: own.clock.unixMs(),
      });
      const [given, taken, self] = [await answer(), await answer(), await answer(bob)];
      await own.database.transaction((tx) => giveForAnswer(tx, given));
      await own.database.transaction((tx) => giveForAnswer(tx, self));
      expect(await pointsOf(bob)).toBe(5);
      await own.database.transaction((tx) => takeForAnswer(tx, taken));
      expect(await pointsOf(bob)).toBe(0);
      const ledger = await own.database.reader
        .selectFrom('point_ledger')
        .selectAll()
        .where('community_id', '=', garden.id)
        .execute();
      expect(ledger.map(({ points }) => Number(points))).toEqual([5_000, -5_000]);
    });

    test('[PP5] a profile has all points, and names those communities only that the reader may see', async () => {
      await vote(eve, 1);
      const id = ada.user_id;
      const { points = 0 } = await findProfile(own.ctx, ANYONE, { id });
      expect(points).toBeGreaterThan(0);
      const named = async (by: Parameters<typeof findPoints>[1]) => {
        const found = await findPoints(own.ctx, by, { user_id: id });
        expect(found.points).toBe(points);
        return found.communities.some((each) => each.id === garden.id);
      };
      expect(await named(ANYONE)).toBe(true);
      await own.database.transaction(async (tx) => {
        await tx.sql.updateTable('communities').set({ visibility: 'unlisted' }).execute();
        tx.changed('communities', garden.id);
      });
      expect(await named(ANYONE)).toBe(false);
      expect(await named(bob)).toBe(true);
      const nobody = await own.person(`none${garden.id}`);
      expect(await findProfile(own.ctx, ANYONE, { id: nobody.user_id })).not.toHaveProperty(
        'points',
      );
    });

    test('[PP6] the rules are public where the community is', async () => {
      const rules = await findPointRules(own.ctx, ANYONE, { community_id: garden.id });
      expect(rules).toMatchObject({ vote: 1, pair_factor: 0.5, accepted_answer: 5 });
      await plant({ visibility: 'private' });
      const failure = await failureOf(findPointRules(own.ctx, ANYONE, { community_id: garden.id }));
      expect(failure).toBeInstanceOf(NotFoundError);
    });
  });
});
