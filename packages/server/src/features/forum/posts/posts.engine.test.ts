import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ValidationError,
  type Channel,
  type Id,
  type NewPost,
  type OwnCommunity,
  type PostChange,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Actor, Account } from '../../../actor.ts';
import { listAuditLog } from '../../communities/audit-log/list-audit-log.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { createComment } from '../comments/create-comment.ts';
import { deleteComment } from '../comments/delete-comment.ts';
import { deleteCommentsOf } from '../comments/delete-comments-of.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { listNotifications } from '../../talk/notifications/list-notifications.ts';
import { acceptAnswer } from '../comments/accept-answer.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { deletePostsOf } from './delete-posts-of.ts';
import { findPost } from './complete-posts.ts';
import { listSaved, readPost, savePost, unsavePost } from './save-post.ts';

async function refusal<Refusal extends Error>(
  work: Promise<unknown>,
  kind: abstract new (...args: never[]) => Refusal,
): Promise<Refusal> {
  const failure = await failureOf(work);
  if (failure instanceof kind) return failure;
  throw new Error(`it was not refused with a ${kind.name}`, { cause: failure });
}

onEachDatabase((open) => {
  describe('posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      channel = await make({ name: 'news' });
      await own.emitted();
    });

    const make = (settings: Partial<Parameters<typeof createChannel>[2]>) =>
      createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'posts',
        ...settings,
      });
    const post = (by: Account, title: string, rest: Partial<NewPost & { channel_id: Id }> = {}) =>
      createPost(own.ctx, by, { channel_id: channel.id, title, ...rest });
    const find = (id: Id, actor: Actor = ada) => findPost(own.ctx, actor, { id });
    const change = (by: Account, id: Id, changes: PostChange) =>
      changePost(own.ctx, by, { id, ...changes });
    const ops = async () =>
      (await own.emitted()).flatMap(({ stream, event }) =>
        event?.op.startsWith('POST_') === true ? [{ stream, ...event }] : [],
      );
    const actions = async () =>
      (await listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 10 }))
        .map(({ action }) => action)
        .filter((action) => action.startsWith('post_'));
    const hide = () =>
      setOverwrite(own.ctx, ada, {
        id: channel.id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });

    test('[PO1] a post is stored, and sent in the stream of its channel with its nonce', async () => {
      const created = await post(bob, 'Basil', { content: 'Grows.', nonce: 'n' });
      expect<unknown>(created).toEqual({
        id: created.id,
        channel_id: channel.id,
        community_id: garden.id,
        user: { id: bob.user_id, username: 'bob' },
        title: 'Basil',
        content: 'Grows.',
        created_at: own.clock.unixMs(),
        score: 0,
        upvotes: 0,
        downvotes: 0,
        comment_count: 0,
        version: 1,
      });
      expect(await find(created.id, eve)).toEqual(created);
      expect<unknown>(await ops()).toEqual([
        { stream: `c:${garden.id}`, op: 'POST_CREATE', d: { ...created, nonce: 'n' } },
      ]);
      const [mark] = await own.database.reader
        .selectFrom('read_states')
        .selectAll()
        .where('channel_id', '=', channel.id)
        .execute();
      expect(BigInt(mark?.last_read_id ?? 0)).toBe(BigInt(created.id));
    });

    test('[PO2] members with CREATE_POSTS post, to channels with posts only, and as slowly as the channel says', async () => {
      const [talk] = garden.channels;
      const other = post(bob, 'Basil', { channel_id: talk?.id ?? channel.id });
      expect((await refusal(other, ValidationError)).data).toMatchObject({ field_name: 'kind' });
      const refused = await refusal(post(eve, 'Basil'), ForbiddenError);
      expect(refused.data).toMatchObject({ code: 'not_member' });
      await changeChannel(own.ctx, ada, { id: channel.id, slow_mode_seconds: 10 });
      await post(bob, 'One');
      expect(await refusal(post(bob, 'Two'), RateLimitedError)).toMatchObject({
        data: { retry_after: 10_000 },
      });
      const overwrite = { id: channel.id, subject_id: garden.id, kind: 'role' as const };
      await setOverwrite(own.ctx, ada, { ...overwrite, allow: [], deny: ['CREATE_POSTS'] });
      const missing = await refusal(post(bob, 'Three'), ForbiddenError);
      expect(missing.data).toMatchObject({ permission: 'CREATE_POSTS' });
    });

    test('[PO3] the same nonce posts once', async () => {
      const posts = await Promise.all([1, 2, 3].map(() => post(bob, 'Basil', { nonce: 'once' })));
      expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
      expect(await ops()).toHaveLength(1);
    });

    test('[PO4] a hidden post is answered like one that does not exist', async () => {
      const { id } = await post(ada, 'Basil');
      await hide();
      const absent = '999' as Id;
      for (const each of [id, absent]) {
        expect(await refusal(find(each, bob), NotFoundError)).toBeInstanceOf(NotFoundError);
        expect(await refusal(savePost(own.ctx, bob, { id: each }), NotFoundError)).toBeDefined();
        expect(await refusal(change(bob, each, { title: 'b' }), NotFoundError)).toBeDefined();
      }
    });

    test('[PO5] the author changes what a post says, and it is marked as edited', async () => {
      const { id } = await post(bob, 'Basil', { content: 'Grows.', url: 'https://a.example/' });
      await own.emitted();
      own.clock.advance(5);
      const changed = await change(bob, id, { content: null, title: 'Sage' });
      expect(changed).toMatchObject({
        title: 'Sage',
        url: 'https://a.example/',
        edited_at: own.clock.unixMs(),
        version: 2,
      });
      expect(changed).not.toHaveProperty('content');
      expect<unknown>(await ops()).toEqual([
        { stream: `c:${garden.id}`, op: 'POST_UPDATE', d: changed },
      ]);
      expect((await change(bob, id, { title: 'Sage' })).version).toBe(2);
      const refused = await refusal(change(ada, id, { title: 'Mint' }), ForbiddenError);
      expect(refused.data).toMatchObject({ code: 'not_author' });
    });

    test('[PO6][PO6a] moderators mark, lock and pin a post, which is no edit and is noted', async () => {
      const { id } = await post(bob, 'Basil');
      const changed = await change(ada, id, { pinned: true, locked: true, spoiler: true });
      expect(changed).toMatchObject({ pinned: true, locked: true, spoiler: true, version: 2 });
      expect(changed).not.toHaveProperty('edited_at');
      expect((await actions()).toSorted()).toEqual(['post_lock', 'post_pin', 'post_update']);
      for (const each of [{ pinned: false }, { locked: false }]) {
        const refused = await refusal(change(bob, id, each), ForbiddenError);
        expect(refused.data).toMatchObject({ code: 'permission_missing' });
      }
      const after = await change(ada, id, { pinned: false, locked: false });
      expect(after).not.toHaveProperty('pinned');
      expect(after).not.toHaveProperty('locked');
    });

    test('[PO22] the author changes a locked post, accepts an answer to it, and deletes it', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, questions: true });
      const { id } = await post(bob, 'Basil');
      const { id: answer } = await createComment(own.ctx, ada, { post_id: id, content: 'Sun.' });
      await change(ada, id, { locked: true });
      const edited = await change(bob, id, { title: 'Sage', content: 'Solved.', spoiler: true });
      expect(edited).toMatchObject({ title: 'Sage', content: 'Solved.', locked: true });
      const accepted = await acceptAnswer(own.ctx, bob, { id, comment_id: answer });
      expect(accepted).toMatchObject({ accepted_comment_id: answer });
      const comment = createComment(own.ctx, bob, { post_id: id, content: 'No.' });
      const refused = await refusal(comment, ForbiddenError);
      expect(refused.data).toMatchObject({ code: 'post_locked' });
      await deletePost(own.ctx, bob, { id });
      await refusal(find(id), NotFoundError);
    });

    test('[PO6] at most ten posts are pinned in a channel', async () => {
      for (let count = 0; count < 10; count += 1) {
        await change(ada, (await post(ada, `Post ${count}`)).id, { pinned: true });
      }
      const { id } = await post(ada, 'One more');
      const refused = await refusal(change(ada, id, { pinned: true }), ConflictError);
      expect(refused.data).toMatchObject({ code: 'too_many', field_name: 'pinned' });
    });

    test('[PO7][PO7a] the author or a moderator deletes a post, with everything that belongs to it', async () => {
      const { id } = await post(bob, 'Basil', { content: '@ada' });
      await change(ada, id, { pinned: true });
      await savePost(own.ctx, bob, { id });
      await own.emitted();
      const refused = await refusal(deletePost(own.ctx, eve, { id }), ForbiddenError);
      expect(refused.data).toMatchObject({ code: 'not_member' });
      await deletePost(own.ctx, ada, { id });
      expect<unknown>(await ops()).toEqual([
        {
          stream: `c:${garden.id}`,
          op: 'POST_DELETE',
          d: { channel_id: channel.id, id },
        },
      ]);
      expect(await actions()).toContain('post_delete');
      await refusal(find(id), NotFoundError);
      const pins = own.database.reader.selectFrom('post_pins').selectAll();
      expect(await pins.where('channel_id', '=', channel.id).execute()).toEqual([]);
      expect(await listNotifications(own.ctx, ada, { limit: 10 })).toEqual([]);
      const mine = await post(bob, 'Sage');
      await deletePost(own.ctx, bob, { id: mine.id });
      await refusal(deletePost(own.ctx, bob, { id: mine.id }), NotFoundError);
    });

    test('[PO8] people save posts, and see those that they have saved as long as they see them', async () => {
      const [one, two] = [await post(ada, 'One'), await post(ada, 'Two')];
      for (const { id } of [one, two, one]) await savePost(own.ctx, bob, { id });
      const titles = async (before?: Id) =>
        (await listSaved(own.ctx, bob, { before, limit: 10 })).entries.map(({ title }) => title);
      expect(await titles()).toEqual(['Two', 'One']);
      expect(await titles(two.id)).toEqual(['One']);
      expect(await find(one.id, bob)).toMatchObject({ saved: true });
      expect(await find(one.id, ada)).not.toHaveProperty('saved');
      await unsavePost(own.ctx, bob, { id: one.id });
      await refusal(unsavePost(own.ctx, bob, { id: one.id }), NotFoundError);
      expect(await titles()).toEqual(['Two']);
      await hide();
      expect(await titles()).toEqual([]);
    });

    test('[PO9] a post counts the comments that were written since the caller was there', async () => {
      const { id } = await post(ada, 'Basil');
      expect(await find(id, bob)).not.toHaveProperty('new_comments');
      await readPost(own.ctx, bob, { id });
      const comment = (number: number) =>
        own.database.transaction(({ sql }) =>
          sql
            .updateTable('posts')
            .set({ comment_number: number })
            .where('channel_id', '=', channel.id)
            .execute(),
        );
      await comment(3);
      expect(await find(id, bob)).toMatchObject({ new_comments: 3 });
      await readPost(own.ctx, bob, { id });
      expect(await find(id, bob)).toMatchObject({ new_comments: 0 });
    });

    test('[PO10] a post has tags of its channel only', async () => {
      const tagged = await make({ name: 'tagged', tags: [{ name: 'herbs' }, { name: 'trees' }] });
      const [herbs, trees] = (tagged.tags ?? []).map(({ id }) => id);
      if (herbs === undefined || trees === undefined) throw new Error('there are no tags');
      const place = { channel_id: tagged.id };
      const created = await post(bob, 'Basil', { ...place, tag_ids: [herbs] });
      expect(created.tag_ids).toEqual([herbs]);
      const refused = await refusal(post(bob, 'Basil', { tag_ids: [herbs] }), ValidationError);
      expect(refused.data).toMatchObject({ field_name: 'tag_ids' });
      const changed = await change(bob, created.id, { tag_ids: [trees] });
      expect(changed).toMatchObject({ tag_ids: [trees] });
      const rows = own.database.reader.selectFrom('post_tags').selectAll();
      const found = await rows.where('channel_id', '=', tagged.id).execute();
      expect<unknown>(found.map((row) => row.tag_id)).toEqual([trees]);
    });

    test('[PO11] scores are hidden for as long as the channel says', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, hide_scores_seconds: 60 });
      const created = await post(bob, 'Basil');
      expect(created).toMatchObject({ scores_hidden_until: created.created_at + 60_000 });
      expect(created).not.toHaveProperty('score');
      own.clock.advance(60_000);
      expect(await find(created.id)).toMatchObject({ score: 0, upvotes: 0, downvotes: 0 });
    });

    test('[PO12] a post mentions people, who are notified, and posts that everyone sees who sees it', async () => {
      const first = await post(ada, 'Sage');
      const address = `/c/${garden.slug}/p/${first.id}/sage`;
      const created = await post(bob, 'Basil', { content: `@ada see ${address}` });
      expect(created).toMatchObject({
        mentions: [{ username: 'ada' }],
        mention_posts: [{ id: first.id, title: 'Sage' }],
      });
      const [notified] = await listNotifications(own.ctx, ada, { limit: 1 });
      expect(notified).toMatchObject({ kind: 'mention', id: created.id });
      await deletePost(own.ctx, ada, { id: first.id });
      expect(await find(created.id)).not.toHaveProperty('mention_posts');
      const secret = await make({ name: 'secret' });
      const hidden = await post(ada, 'Mint', { channel_id: secret.id });
      const overwrite = { id: secret.id, subject_id: garden.id, kind: 'role' as const };
      await setOverwrite(own.ctx, ada, { ...overwrite, allow: [], deny: ['VIEW'] });
      const other = await post(ada, 'Thyme', { content: `/c/${garden.slug}/p/${hidden.id}` });
      expect(other).not.toHaveProperty('mention_posts');
    });

    test('[PO15] who asked accepts a comment as the answer, or none, and it gives and loses its points', async () => {
      channel = await make({ name: 'questions', questions: true });
      const { id } = await post(ada, 'Why?');
      const answer = (by: Account) =>
        createComment(own.ctx, by, { post_id: id, content: 'Because.' });
      const [first, second] = [await answer(bob), await answer(ada)];
      const accept = (by: Account, commentId: Id | null, postId = id) =>
        acceptAnswer(own.ctx, by, { id: postId, comment_id: commentId });
      const points = async () => {
        const rows = await own.database.reader
          .selectFrom('member_points')
          .selectAll()
          .where('community_id', '=', garden.id)
          .execute();
        return rows.map((row) => [row.user_id, Number(row.points)]);
      };
      await own.emitted();
      expect(await accept(ada, first.id)).toMatchObject({
        accepted_comment_id: first.id,
        version: 2,
      });
      await accept(ada, first.id);
      expect<unknown>(await ops()).toMatchObject([
        { op: 'POST_UPDATE', d: { id, accepted_comment_id: first.id, version: 2 } },
      ]);
      expect(await points()).toEqual([[bob.user_id, 5_000]]);
      // Nobody is given points for an answer to themselves.
      await accept(ada, second.id);
      expect(await points()).toEqual([[bob.user_id, 0]]);
      expect(await accept(ada, null)).not.toHaveProperty('accepted_comment_id');
      await accept(ada, first.id);
      await own.emitted();
      await deleteComment(own.ctx, bob, { id: first.id });
      expect(await points()).toEqual([[bob.user_id, 0]]);
      expect(await find(id)).not.toHaveProperty('accepted_comment_id');
      expect<unknown>(await ops()).toMatchObject([{ op: 'POST_UPDATE', d: { id, version: 6 } }]);
      const third = await answer(bob);
      await accept(ada, third.id);
      const all = { userId: bob.user_id, signal: new AbortController().signal };
      await deleteCommentsOf(own.ctx, all);
      expect(await points()).toEqual([[bob.user_id, 0]]);
      expect(await find(id)).not.toHaveProperty('accepted_comment_id');
    });

    test('[PO15][PO15a] only questions have answers, which are comments on them, and the audit log notes moderators', async () => {
      const { id: news } = await post(bob, 'News');
      channel = await make({ name: 'questions', questions: true });
      const [{ id }, { id: other }] = [await post(bob, 'Why?'), await post(bob, 'Where?')];
      const { id: commentId } = await createComment(own.ctx, bob, { post_id: other, content: '!' });
      const accept = (by: Account, postId: Id) =>
        acceptAnswer(own.ctx, by, { id: postId, comment_id: commentId });
      expect((await refusal(accept(bob, news), ConflictError)).data).toMatchObject({
        code: 'not_questions',
      });
      expect((await refusal(accept(bob, id), ValidationError)).data).toMatchObject({
        field_name: 'comment_id',
      });
      await refusal(accept(eve, other), ForbiddenError);
      const log = () => listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 1 });
      await accept(bob, other);
      expect(await log()).not.toMatchObject([{ action: 'answer_accept' }]);
      await acceptAnswer(own.ctx, bob, { id: other, comment_id: null });
      await accept(ada, other);
      expect(await log()).toMatchObject([
        { action: 'answer_accept', target: { kind: 'post', id: other } },
      ]);
    });

    test('[PO2][PO15] who has left or is timed out accepts no answer', async () => {
      channel = await make({ name: 'questions', questions: true });
      const { id } = await post(bob, 'Why?');
      const { id: comment_id } = await createComment(own.ctx, eve, { post_id: id, content: '!' });
      const refusedWith = async () => {
        const accepting = acceptAnswer(own.ctx, bob, { id, comment_id });
        return (await refusal(accepting, ForbiddenError)).data;
      };
      const timed_out_until = own.clock.unixMs() + 60_000;
      const member = { community_id: garden.id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...member, timed_out_until });
      expect(await refusedWith()).toMatchObject({ code: 'timed_out' });
      await leaveCommunity(own.ctx, bob, { community_id: garden.id });
      expect(await refusedWith()).toMatchObject({ code: 'not_member' });
    });

    test('[PO13] the posts of an account that is erased are deleted', async () => {
      const [one, two] = [await post(bob, 'One'), await post(ada, 'Two')];
      await own.emitted();
      const all = { userId: bob.user_id, signal: new AbortController().signal };
      await deletePostsOf(own.ctx, all);
      await refusal(find(one.id), NotFoundError);
      expect(await find(two.id)).toMatchObject({ title: 'Two' });
      expect((await ops()).map(({ op }) => op)).toContain('POST_DELETE');
    });

    test('[PO2] who has left neither posts nor changes what they have posted', async () => {
      const { id } = await post(bob, 'Basil');
      await leaveCommunity(own.ctx, bob, { community_id: garden.id });
      // One after the other: the second may fail before anything waits for it.
      const attempts = [() => post(bob, 'Sage'), () => change(bob, id, { title: 'Sage' })];
      for (const attempt of attempts) {
        expect((await refusal(attempt(), ForbiddenError)).data).toMatchObject({
          code: 'not_member',
        });
      }
    });
  });
});
