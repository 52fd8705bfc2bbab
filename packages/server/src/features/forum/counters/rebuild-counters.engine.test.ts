import { communityTest } from '@hearth/testing/communities';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { scansOf } from '@hearth/testing/scans';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storeComment, storePoll, storePost } from '@hearth/testing/stored-posts';
import { expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { ACTIVE_FOR_MS, ranksOf } from '../posts/ranks.ts';
import { voteInPoll } from '../voting/vote-in-poll.ts';
import { voteComment, votePost } from '../voting/cast-vote.ts';
import { rebuildCounters } from './rebuild-counters.ts';

onEachDatabase((open) => {
  test('[VO11] damaged totals, ranks, counts and points are found, and are right afterwards', async () => {
    await using own = await communityTest(open);
    const [ada, bob] = [await own.person('ada'), await own.person('bob')];
    own.clock.halt(2 * 86_400_000);
    const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
    const asked = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
    const { id: channelId } = await createChannel(own.ctx, ada, asked);
    const [post, comment] = [await own.ctx.ids.next(), await own.ctx.ids.next()];
    const nowMs = own.clock.unixMs();
    const place = { channelId, communityId: garden.id, userId: ada.user_id, createdAtMs: nowMs };
    await storePost(own.database, { ...place, id: post });
    await storeComment(own.database, { ...place, id: comment }, { postId: post });
    const reply = await own.ctx.ids.next();
    await storeComment(own.database, { ...place, id: reply }, { postId: post, number: 2 });
    await storePoll(own.database, { channelId, postId: post, endsAtMs: nowMs + 1_000 });
    for (const by of [ada, bob]) await votePost(own.ctx, by, { id: post, value: 1 });
    await voteComment(own.ctx, bob, { id: comment, value: -1 });
    await voteInPoll(own.ctx, bob, { id: post, option_ids: [storedId('1')] });
    const counted = async () => ({
      post: await own.database.reader.selectFrom('posts').selectAll().executeTakeFirstOrThrow(),
      comments: await own.database.reader
        .selectFrom('comments')
        .selectAll()
        .orderBy('id')
        .execute(),
      poll: await own.database.reader.selectFrom('polls').selectAll().executeTakeFirstOrThrow(),
      points: await own.database.reader.selectFrom('member_points').selectAll().execute(),
    });
    const none = { posts: 0, comments: 0, polls: 0, points: 0 };
    // The rows were written without their counts.
    await own.database.transaction(({ sql }) =>
      sql.updateTable('comments').set({ parent_id: comment }).where('number', '=', 2).execute(),
    );
    expect(await rebuildCounters(own.ctx, OWNER)).toEqual({ ...none, posts: 1, comments: 1 });
    expect(await rebuildCounters(own.ctx, OWNER)).toEqual(none);
    const sound = await counted();
    expect([sound.post.upvotes, sound.post.comment_count].map(Number)).toEqual([2, 2]);
    expect(sound.comments.map((row) => Number(row.reply_count))).toEqual([1, 0]);
    expect(sound.points.map((row) => Number(row.points))).toEqual([1_000]);
    await own.database.transaction(async ({ sql }) => {
      await sql.updateTable('posts').set({ upvotes: 7, hot: 1, comment_count: 9 }).execute();
      await sql.updateTable('comments').set({ downvotes: 4, reply_count: 5 }).execute();
      await sql.updateTable('polls').set({ voters: 3 }).execute();
      await sql.deleteFrom('member_points').execute();
    });
    const wrong = { posts: 1, comments: 2, polls: 1, points: 1 };
    expect(await rebuildCounters(own.ctx, OWNER)).toEqual(wrong);
    expect(await counted()).toEqual(sound);
    const trial = trialDatabase(own.database);
    expect(await rebuildCounters({ database: ownerOutbox(trial) }, OWNER)).toEqual(none);
    const ofVotes = trial.takeQueries().filter((text) => text.includes('from "votes"'));
    expect(ofVotes.some((text) => text.includes('"author_id" = '))).toBe(true);
    expect(scansOf(own.database, ofVotes)).toEqual([]);
  });

  test('[VO11] when a post was active is found from its comments, and its rank with it', async () => {
    await using own = await communityTest(open);
    const [ada, bob] = [await own.person('ada'), await own.person('bob')];
    const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
    const asked = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
    const { id: channelId } = await createChannel(own.ctx, ada, asked);
    const createdAtMs = own.clock.unixMs();
    const place = { channelId, communityId: garden.id, userId: ada.user_id, createdAtMs };
    const [commented, quiet] = [await own.ctx.ids.next(), await own.ctx.ids.next()];
    for (const id of [commented, quiet]) await storePost(own.database, { ...place, id });
    const written = [
      { userId: bob.user_id, afterMs: 60_000 },
      { userId: ada.user_id, afterMs: 70_000 },
      { userId: bob.user_id, afterMs: ACTIVE_FOR_MS + 1 },
    ];
    for (const [index, { userId, afterMs }] of written.entries()) {
      const id = await own.ctx.ids.next();
      const comment = { ...place, id, userId, createdAtMs: createdAtMs + afterMs };
      await storeComment(own.database, comment, { postId: commented, number: index + 1 });
    }
    const none = { posts: 0, comments: 0, polls: 0, points: 0 };
    const found = async () => {
      const rows = await own.database.reader
        .selectFrom('posts')
        .select(['last_comment_at_ms', 'active'])
        .orderBy('id')
        .execute();
      return rows.map((row) => [Number(row.last_comment_at_ms), Number(row.active)]);
    };
    const right = [createdAtMs + 60_000, 0].map((activeAtMs) => [
      activeAtMs,
      ranksOf({ upvotes: 0, downvotes: 0, createdAtMs, activeAtMs }).active,
    ]);
    await rebuildCounters(own.ctx, OWNER);
    expect(await found()).toEqual(right);
    for (const wrong of [createdAtMs + 70_000, 0]) {
      const { active } = ranksOf({ upvotes: 0, downvotes: 0, createdAtMs, activeAtMs: wrong });
      await own.database.transaction(({ sql }) =>
        sql.updateTable('posts').set({ last_comment_at_ms: wrong, active }).execute(),
      );
      // The post without comments is right with 0.
      const posts = wrong === 0 ? 1 : 2;
      expect(await rebuildCounters(own.ctx, OWNER)).toEqual({ ...none, posts });
      expect(await found()).toEqual(right);
    }
    expect(await rebuildCounters(own.ctx, OWNER)).toEqual(none);
  });
});
