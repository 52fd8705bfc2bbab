import type { Comment, Id, OwnCommunity } from '@hearth/protocol';
import { MOST_COMMENT_DEPTH } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { seedComments } from '@hearth/testing/seeded-comments';
import { storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import { listAuditLog as listAudit } from '../../communities/audit-log/list-audit-log.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { changeCommunity } from '../../communities/communities/change-community.ts';
import { CommunityActivity } from '../../communities/communities/community-activity.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { listNotifications } from '../../talk/notifications/list-notifications.ts';
import { createPost } from '../posts/create-post.ts';
import { deletePost } from '../posts/delete-post.ts';
import { controversyOf, ranksOf } from '../posts/ranks.ts';
import { KnownUsers } from '../../accounts/users/known-users.ts';
import { changeComment } from './change-comment.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteCommentsOf } from './delete-comments-of.ts';
import { findComment } from './find-comment.ts';
import { listComments } from './list-comments.ts';
import { listUserComments } from './list-user-comments.ts';
import { removeComments } from './remove-comments.ts';

const FIRST_PAGE = { sort: 'top', depth: 8, limit: 50 } as const;

onEachDatabase((open) => {
  describe('comments', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let post: StoredPlace;
    let signals: Signal[];
    let posts = 0n;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
      own.ctx.signals.listen((signal) => signals.push(signal));
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const channel = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'questions',
      });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      posts += 1n;
      post = {
        id: String(900_000_000_000n + posts) as Id,
        channelId: channel.id,
        communityId: garden.id,
        userId: ada.user_id,
        createdAtMs: own.clock.unixMs(),
      };
      await storePost(own.database, post);
      signals = [];
      await own.emitted();
    });

    const write = (
      actor: Account,
      content: string,
      given: { parent_id?: Id; nonce?: string } = {},
    ) => createComment(own.ctx, actor, { post_id: post.id, content, ...given });

    const list = async (actor: Account) =>
      (await listComments(own.ctx, actor, { post_id: post.id, ...FIRST_PAGE })).entries;

    async function postRow() {
      return await own.database.reader
        .selectFrom('posts')
        .selectAll()
        .where('id', '=', post.id)
        .executeTakeFirstOrThrow();
    }

    /** Expects that everything that is counted equals the rows. */
    async function requireTrueCounts(): Promise<void> {
      const rows = await own.database.reader
        .selectFrom('comments')
        .selectAll()
        .where('post_id', '=', post.id)
        .execute();
      expect(Number((await postRow()).comment_count)).toBe(rows.length);
      for (const { id, reply_count: count } of rows) {
        expect(Number(count)).toBe(rows.filter((each) => each.parent_id === id).length);
      }
    }

    const sent = () => signals.map(({ d }) => (d as { event: { op: string; d: object } }).event);

    test('[CT18][CT18a] a tree that fits on one page has a comment as soon as it is written', async () => {
      const list = async () => {
        const { entries } = await listComments(own.ctx, eve, { post_id: post.id, ...FIRST_PAGE });
        return entries.map(({ content }) => content).toSorted();
      };
      await write(ada, 'one');
      await write(bob, 'two');
      expect(await list()).toEqual(['one', 'two']);
      await write(bob, 'three');
      expect(await list()).toEqual(['one', 'three', 'two']);
    });

    test('[CT1] a comment is stored below what it replies to, and watchers of the post are sent it with the number of comments', async () => {
      const first = await write(ada, 'First', { nonce: 'n1' });
      const reply = await write(bob, 'Second', { parent_id: first.id });
      expect(first).toMatchObject({ post_id: post.id, channel_id: post.channelId, depth: 0 });
      expect(reply).toMatchObject({ parent_id: first.id, depth: 1, content: 'Second' });
      expect((await list(eve)).map(({ content, reply_count }) => [content, reply_count])).toEqual([
        ['First', 1],
        ['Second', 0],
      ]);
      expect(sent()).toMatchObject([
        { op: 'COMMENT_CREATE', d: { id: first.id, comment_count: 1, nonce: 'n1' } },
        { op: 'COMMENT_CREATE', d: { id: reply.id, comment_count: 2, parent_reply_count: 1 } },
      ]);
      await requireTrueCounts();
      await deleteComment(own.ctx, ada, reply);
      expect(sent().at(-1)).toMatchObject({
        op: 'COMMENT_DELETE',
        d: { id: reply.id, comment_count: 1, parent: { id: first.id, reply_count: 0 } },
      });
    });

    test('[CT1][CT6][CT7] a comment that is deleted right after it was stored is sent before that', async () => {
      const { id } = await write(bob, 'Soon gone');
      const ops = () => sent().map(({ op, d }) => [op, (d as { id: Id }).id]);
      /** Returns a context in which somebody deletes a comment as soon as it says this. */
      const during = (text: string): InstanceContext => {
        let isStored = false;
        const erase = async () => {
          if (!isStored) return;
          isStored = false;
          const found = (await list(ada)).find(({ content }) => content === text);
          await deleteComment(own.ctx, ada, { id: found?.id ?? id });
        };
        class LateUsers extends KnownUsers {
          override async all(ids: Iterable<Id>) {
            await erase();
            return await super.all(ids);
          }
        }
        class LateActivity extends CommunityActivity {
          override note = erase;
        }
        const transaction: InstanceContext['database']['transaction'] = async (work) => {
          const result = await own.ctx.database.transaction(work);
          isStored = true;
          return result;
        };
        return {
          ...own.ctx,
          users: new LateUsers(own.database),
          activity: new LateActivity(own.ctx.database),
          database: withQueues({ ...own.ctx.database, transaction }),
        };
      };
      const written = { post_id: post.id, content: 'New' };
      const created = await createComment(during('New'), bob, written);
      await changeComment(during('Changed'), bob, { id, content: 'Changed' });
      expect(ops()).toEqual([
        ['COMMENT_CREATE', id],
        ['COMMENT_CREATE', created.id],
        ['COMMENT_DELETE', created.id],
        ['COMMENT_UPDATE', id],
        ['COMMENT_DELETE', id],
      ]);
    });

    test('[CT2] the same nonce of the same person writes once on a post', async () => {
      const first = await write(ada, 'Once', { nonce: 'same' });
      expect((await write(ada, 'Once', { nonce: 'same' })).id).toBe(first.id);
      expect((await write(bob, 'Once', { nonce: 'same' })).id).not.toBe(first.id);
      expect(await list(ada)).toHaveLength(2);
      await deleteComment(own.ctx, ada, first);
      expect(await failureOf(write(ada, 'Once', { nonce: 'same' }))).toMatchObject({ status: 404 });
    });

    test('[CT3] nobody replies to a comment that was deleted, or is on another post, or is too deep', async () => {
      const above = await write(ada, 'Above');
      await write(ada, 'Below', { parent_id: above.id });
      await deleteComment(own.ctx, ada, above);
      const refused = { status: 422, data: { field_name: 'parent_id' } };
      expect(await failureOf(write(bob, 'Late', { parent_id: above.id }))).toMatchObject(refused);
      const other = { ...post, id: '910000000001' as Id };
      await storePost(own.database, { ...other, id: String(910_000_000_000n + posts) as Id });
      const elsewhere = createComment(own.ctx, bob, {
        post_id: String(910_000_000_000n + posts) as Id,
        content: 'Here',
        parent_id: (await list(ada))[1]?.id ?? post.id,
      });
      expect(await failureOf(elsewhere)).toMatchObject(refused);
      const chain = Array.from({ length: MOST_COMMENT_DEPTH + 1 }, (_, index) => ({
        parent: index === 0 ? undefined : index - 1,
        upvotes: 0,
        downvotes: 0,
      }));
      const deep = { ...post, id: String(920_000_000_000n + posts) as Id };
      await storePost(own.database, deep);
      const firstId = 930_000_000_000n + posts * 100n;
      const all = await seedComments(own.database, deep, {
        comments: chain,
        firstId,
        controversyOf,
      });
      const reply = (parent: Id | undefined) =>
        createComment(own.ctx, bob, {
          post_id: deep.id,
          content: 'Deep',
          ...(parent && { parent_id: parent }),
        });
      expect(await failureOf(reply(all.at(-1)?.id))).toMatchObject(refused);
      expect(await reply(all.at(-2)?.id)).toMatchObject({ depth: MOST_COMMENT_DEPTH });
    });

    test('[CT4] members comment, and everyone with an account in a public community that is open to join', async () => {
      expect(await write(eve, 'I am passing by')).toMatchObject({ content: 'I am passing by' });
      await changeCommunity(own.ctx, ada, { id: garden.id, join: 'request' });
      expect(await failureOf(write(eve, 'Again'))).toMatchObject({
        status: 403,
        data: { code: 'not_member' },
      });
      expect(await write(bob, 'I am a member')).toMatchObject({ content: 'I am a member' });
      await changeCommunity(own.ctx, ada, { id: garden.id, visibility: 'private' });
      expect(await failureOf(write(eve, 'Hidden'))).toMatchObject({ status: 404 });
      expect(await failureOf(list(eve))).toMatchObject({ status: 404 });
    });

    test('[CT4] nothing is written by an account that ended meanwhile', async () => {
      const become = (state: 'active' | 'disabled') =>
        own.database.transaction(({ sql }) =>
          sql.updateTable('users').set({ state }).where('id', '=', eve.user_id).execute(),
        );
      await become('disabled');
      expect(await failureOf(write(eve, 'Still here'))).toMatchObject({ status: 401 });
      await become('active');
      expect(await list(ada)).toEqual([]);
    });

    test('[CT6][CT8] a channel that changed since it was read is read again', async () => {
      const comment = await write(bob, 'First');
      const outdate = () =>
        own.database.transaction(({ sql }) =>
          sql
            .updateTable('turns')
            .set((row) => ({ version: row('version', '+', 1) }))
            .where('id', '=', post.channelId)
            .execute(),
        );
      await outdate();
      const changed = await changeComment(own.ctx, bob, { id: comment.id, content: 'Second' });
      expect(changed.content).toBe('Second');
      await outdate();
      expect((await write(bob, 'Third')).content).toBe('Third');
      await outdate();
      await deleteComment(own.ctx, ada, comment);
      expect((await list(ada)).map(({ content }) => content)).toEqual(['Third']);
    });

    test('[CT5] only members who manage contents comment on a locked post', async () => {
      const mine = await write(bob, 'Before');
      await own.database.transaction(({ sql }) =>
        sql.updateTable('posts').set({ locked: 1 }).where('id', '=', post.id).execute(),
      );
      const refused = { status: 403, data: { code: 'post_locked' } };
      expect(await failureOf(write(bob, 'After'))).toMatchObject(refused);
      const edit = changeComment(own.ctx, bob, { id: mine.id, content: 'Changed' });
      expect(await failureOf(edit)).toMatchObject(refused);
      expect(await write(ada, 'It is closed')).toMatchObject({ content: 'It is closed' });
      await deleteComment(own.ctx, bob, mine);
      expect(await list(ada)).toHaveLength(1);
    });

    test('[CT6] only the author changes a comment; the same text again changes nothing', async () => {
      const first = await write(bob, 'First');
      signals = [];
      const changed = await changeComment(own.ctx, bob, { id: first.id, content: 'Better' });
      expect(changed).toMatchObject({ content: 'Better', version: 2 });
      expect(changed.edited_at).toBeNumber();
      await changeComment(own.ctx, bob, { id: first.id, content: 'Better' });
      expect(sent()).toMatchObject([{ op: 'COMMENT_UPDATE', d: { id: first.id, version: 2 } }]);
      expect(
        await failureOf(changeComment(own.ctx, ada, { id: first.id, content: 'Worse' })),
      ).toMatchObject({ status: 403, data: { code: 'not_author' } });
    });

    test('[CT7][CT7a] a deleted comment without replies is gone, and one with replies keeps its place until they are gone', async () => {
      const above = await write(bob, 'Above');
      const between = await write(bob, 'Between', { parent_id: above.id });
      const below = await write(ada, 'Below', { parent_id: between.id });
      const other = await write(ada, 'Another', { parent_id: above.id });
      await deleteComment(own.ctx, ada, other);
      await requireTrueCounts();
      signals = [];
      await deleteComment(own.ctx, bob, above);
      await deleteComment(own.ctx, bob, between);
      const left = await list(ada);
      expect(left.map(({ deleted }) => deleted)).toEqual([true, true, undefined]);
      expect(left[0]).not.toContainAnyKeys(['user', 'content', 'mentions', 'edited_at']);
      await requireTrueCounts();
      expect(
        await failureOf(changeComment(own.ctx, bob, { id: above.id, content: 'Again' })),
      ).toMatchObject({ status: 404 });
      expect(await failureOf(deleteComment(own.ctx, bob, above))).toMatchObject({ status: 404 });
      await deleteComment(own.ctx, ada, below);
      expect(await list(ada)).toEqual([]);
      await requireTrueCounts();
      expect(sent()).toMatchObject([
        { op: 'COMMENT_UPDATE', d: { id: above.id, deleted: true } },
        { op: 'COMMENT_UPDATE', d: { id: between.id, deleted: true } },
        {
          op: 'COMMENT_DELETE',
          d: { post_id: post.id, id: below.id, also: [between.id, above.id], comment_count: 0 },
        },
      ]);
    });

    test('[CT8] a member with MANAGE_CONTENT deletes a comment of somebody else, which the audit log notes', async () => {
      const first = await write(bob, 'First');
      expect(await failureOf(deleteComment(own.ctx, eve, first))).toMatchObject({ status: 403 });
      await deleteComment(own.ctx, ada, first);
      const entries = await listAudit(own.ctx, ada, { community_id: garden.id, limit: 10 });
      expect(entries[0]).toMatchObject({
        action: 'comment_delete',
        target: { kind: 'comment', id: first.id },
      });
    });

    test('[CT9] the author of the post, or of the comment above, and whom it mentions are notified; deleting takes that back', async () => {
      const first = await write(bob, 'First');
      const reply = await write(ada, 'Look here, @bob', { parent_id: first.id });
      const of = (actor: Account) => listNotifications(own.ctx, actor, { limit: 10 });
      const place = { post_id: post.id, channel_id: post.channelId, community_id: garden.id };
      expect((await of(ada))[0]).toMatchObject({ ...place, kind: 'reply', comment_id: first.id });
      expect((await of(bob))[0]).toMatchObject({ ...place, kind: 'mention', comment_id: reply.id });
      expect((await of(bob))[0]).not.toContainKey('message_id');
      expect(reply.mentions).toMatchObject([{ id: bob.user_id }]);
      const passing = await write(eve, 'Passing by');
      await write(bob, 'Welcome', { parent_id: passing.id });
      expect(await of(eve)).toMatchObject([{ kind: 'reply', post_id: post.id }]);
      await deleteComment(own.ctx, ada, reply);
      expect((await of(bob)).filter(({ comment_id: id }) => id === reply.id)).toEqual([]);
    });

    test('[CT9] a comment mentions the posts whose addresses are in it, in events too, until they are deleted', async () => {
      const other = await createPost(own.ctx, ada, { channel_id: post.channelId, title: 'Sage' });
      const named = [{ id: other.id, title: 'Sage' }];
      const content = `See /c/${garden.slug}/p/${other.id}`;
      const written = await write(bob, content);
      expect(written.mention_posts).toEqual(named);
      expect(JSON.stringify(signals)).toContain('"mention_posts"');
      const plain = await write(bob, 'See there');
      expect(plain).not.toHaveProperty('mention_posts');
      const changed = await changeComment(own.ctx, bob, { id: plain.id, content });
      expect(changed.mention_posts).toEqual(named);
      await deletePost(own.ctx, ada, { id: other.id });
      for (const comment of await list(eve)) expect(comment).not.toHaveProperty('mention_posts');
    });

    test('[CT10] a comment is read with the nearest of those above it, the topmost first', async () => {
      const first = await write(bob, 'First');
      const second = await write(bob, 'Second', { parent_id: first.id });
      const third = await write(bob, 'Third', { parent_id: second.id });
      const read = async (context: number) =>
        (await findComment(own.ctx, eve, { id: third.id, context })).map(({ content }) => content);
      expect(await read(0)).toEqual(['Third']);
      expect(await read(1)).toEqual(['Second', 'Third']);
      expect(await read(50)).toEqual(['First', 'Second', 'Third']);
      const none = findComment(own.ctx, eve, { id: post.id, context: 0 });
      expect(await failureOf(none)).toMatchObject({ status: 404 });
    });

    test('[CT11] the comment of somebody else makes a post active, that of its author does not', async () => {
      const before = await postRow();
      own.clock.advance(3_600_000);
      await write(ada, 'Mine');
      const { createdAtMs } = post;
      const votes = { upvotes: 0, downvotes: 0, createdAtMs };
      const quiet = ranksOf({ ...votes, activeAtMs: 0 });
      expect(Number((await postRow()).active)).toBe(quiet.active);
      await write(bob, 'Yours');
      const after = await postRow();
      expect(Number(after.active)).toBe(
        ranksOf({ ...votes, activeAtMs: createdAtMs + 3_600_000 }).active,
      );
      expect(Number(after.active)).toBeGreaterThan(quiet.active);
      expect(Number(after.hot)).toBe(Number(before.hot));
      expect(Number(after.version)).toBe(Number(before.version));
    });

    test('[CT11] a comment that was deleted makes no post active, and the newest one that is left does', async () => {
      const active = async () => {
        const { active: rank, last_comment_at_ms: atMs } = await postRow();
        return { active: Number(rank), activeAtMs: Number(atMs) };
      };
      const [votes, { createdAtMs }] = [{ upvotes: 0, downvotes: 0 }, post];
      const activeFrom = (activeAtMs: number) => ({
        active: ranksOf({ ...votes, createdAtMs, activeAtMs }).active,
        activeAtMs,
      });
      const first = await write(bob, 'First');
      own.clock.halt(60_000);
      const second = await write(eve, 'Second');
      own.clock.halt(60_000);
      await write(ada, 'Mine', { parent_id: second.id });
      own.clock.halt(60_000);
      const third = await write(bob, 'Third');
      expect(await active()).toEqual(activeFrom(third.created_at));
      await deleteComment(own.ctx, bob, { id: third.id });
      expect(await active()).toEqual(activeFrom(second.created_at));
      // Its place stays.
      await deleteComment(own.ctx, eve, { id: second.id });
      expect(await active()).toEqual(activeFrom(first.created_at));
      await write(eve, 'Fourth');
      await write(eve, 'Fifth');
      const signal = AbortSignal.any([]);
      await deleteCommentsOf(own.ctx, { userId: eve.user_id, signal });
      expect(await active()).toEqual(activeFrom(first.created_at));
      await deleteComment(own.ctx, ada, { id: first.id });
      expect(await active()).toEqual(activeFrom(0));
    });

    test('[CT12] the scores of a comment are hidden for as long as the channel says', async () => {
      await changeChannel(own.ctx, ada, { id: post.channelId, hide_scores_seconds: 600 });
      const first = await write(bob, 'First');
      expect(first.scores_hidden_until).toBe(first.created_at + 600_000);
      expect(first).not.toContainAnyKeys(['score', 'upvotes', 'downvotes']);
      own.clock.advance(600_000);
      expect((await list(ada))[0]).toMatchObject({ score: 0, upvotes: 0, downvotes: 0 });
    });

    test('[CT13] comments of a person are listed as far as the caller sees them, and those of unlisted communities for members', async () => {
      await write(bob, 'First');
      await write(bob, 'Second');
      const page = async (actor: Account, limit = 10, cursor?: string) =>
        await listUserComments(own.ctx, actor, { user_id: bob.user_id, cursor, limit });
      const contents = (all: readonly Comment[]) =>
        all.filter(({ post_id: id }) => id === post.id).map(({ content }) => content);
      expect(contents((await page(eve)).entries)).toEqual(['Second', 'First']);
      const { id, channelId: channel_id, communityId: community_id } = post;
      const [shown] = (await page(eve)).entries;
      expect(shown?.post).toEqual({ id, title: 'Roses', channel_id, community_id });
      expect((await list(eve))[0]).not.toHaveProperty('post');
      const first = await page(eve, 1);
      expect(contents(first.entries)).toEqual(['Second']);
      expect(contents((await page(eve, 1, first.cursor)).entries)).toEqual(['First']);
      await changeCommunity(own.ctx, ada, { id: garden.id, visibility: 'unlisted' });
      expect(contents((await page(eve)).entries)).toEqual([]);
      expect(contents((await page(ada)).entries)).toEqual(['Second', 'First']);
      await leaveCommunity(own.ctx, bob, { community_id: garden.id });
      expect(contents((await page(bob)).entries)).toEqual([]);
    });

    test('[CT13] a comment that is deleted while a list is made is not in it', async () => {
      const parent = await write(bob, 'First');
      await write(ada, 'Reply', { parent_id: parent.id });
      const all = own.ctx.communities.all.bind(own.ctx.communities);
      const spy = spyOn(own.ctx.communities, 'all').mockImplementationOnce(async (ids) => {
        await deleteComment(own.ctx, bob, { id: parent.id });
        return await all(ids);
      });
      const { entries } = await listUserComments(own.ctx, eve, { user_id: bob.user_id, limit: 10 });
      spy.mockRestore();
      expect(entries.filter(({ post_id: id }) => id === post.id)).toEqual([]);
    });

    test('[CT14] the comments of a person go some at a time, and their places stay where others reply', async () => {
      const first = await write(bob, 'First');
      await write(ada, 'Reply', { parent_id: first.id });
      await write(bob, 'Second');
      await deleteCommentsOf(own.ctx, {
        userId: bob.user_id,
        signal: new AbortController().signal,
      });
      expect((await list(ada)).map(({ content, deleted }) => [content, deleted])).toEqual([
        [undefined, true],
        ['Reply', undefined],
      ]);
      await requireTrueCounts();
    });

    test('[CT15] what is left of the comments on a deleted post is removed', async () => {
      await write(bob, 'First');
      await write(eve, 'Second');
      await deletePost(own.ctx, ada, { id: post.id });
      expect(await failureOf(list(ada))).toMatchObject({ status: 404 });
      const jobs = own.database.reader.selectFrom('jobs').selectAll();
      const removals = await jobs.where('kind', '=', 'remove-comments').execute();
      const job = removals.find(({ payload }) => payload.includes(post.id));
      const kind = removeComments(own.ctx);
      const { signal } = new AbortController();
      await kind.run(kind.parse(JSON.parse(job?.payload ?? '')), { id: '1', number: 1, signal });
      const rows = own.database.reader.selectFrom('comments').select('id');
      expect(await rows.where('post_id', '=', post.id).execute()).toEqual([]);
      const [left] = await listNotifications(own.ctx, ada, { limit: 1 });
      expect(left?.post_id).not.toBe(post.id);
    });

    test('[CT16] replies and deletions at the same time leave counts that equal the rows', async () => {
      const first = await write(bob, 'First');
      const tries = Array.from({ length: 8 }, (_, index) =>
        index === 4
          ? deleteComment(own.ctx, bob, first)
          : write(ada, `Reply ${index}`, { parent_id: first.id }),
      );
      const results = await Promise.allSettled(tries);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 422 });
      }
      await requireTrueCounts();
      const replies = (await list(ada)).filter(({ parent_id: id }) => id === first.id);
      await Promise.all(replies.map((reply) => deleteComment(own.ctx, ada, reply)));
      await requireTrueCounts();
      expect((await list(ada)).filter(({ deleted }) => deleted)).toEqual([]);
    });
  });
});
