import type { Id, Notification, OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { removeOverwrite, setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeComment } from '../../forum/comments/change-comment.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { postMessage } from '../messages/post-message.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { readPost } from '../../forum/posts/save-post.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotifications } from './mark-notifications.ts';

onEachDatabase((open) => {
  describe('the words of notifications', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let talk: Id;
    let posts: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      talk = garden.channels[0]?.id ?? garden.id;
      const about = { community_id: garden.id, kind: 'posts', name: 'questions' } as const;
      posts = (await createChannel(own.ctx, ada, about)).id;
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      await sentToBob();
    });

    const ask = (by: Account, title: string, content?: string, rest = {}) =>
      createPost(own.ctx, by, { channel_id: posts, title, content, ...rest });
    const answer = (by: Account, post_id: Id, content: string, parent_id?: Id) =>
      createComment(own.ctx, by, { post_id, content, parent_id });
    const listed = async (by = bob) =>
      (await listNotifications(own.ctx, by, { limit: 50 })).filter(
        (each) => each.community_id === garden.id,
      );
    const wordsIn = (entries: readonly Notification[]) =>
      entries.map(({ id: _1, user: _2, community_id: _3, created_at: _4, ...rest }) => rest);
    const sentToBob = () => own.sentTo(bob);

    test('[RD20] a notification of each kind has the words that it is about, and the title of their post', async () => {
      const message = await postMessage(own.ctx, bob, {
        channel_id: talk,
        content: 'who is there?',
      });
      const reply = { channel_id: talk, content: '*I* am', reply_to: message.id };
      const { id: message_id } = await postMessage(own.ctx, ada, reply);
      const { id: mentioning } = await ask(ada, 'Ripe plums', 'for @bob and all');
      const { id: asked } = await ask(bob, 'Which pears?');
      const root = await answer(ada, asked, 'Conference');
      const mine = await answer(bob, asked, 'really?', root.id);
      const below = await answer(ada, asked, 'yes, @bob', mine.id);
      const place = { channel_id: posts };
      const title = 'Which pears?';
      expect(wordsIn(await listed())).toEqual([
        {
          ...{ ...place, kind: 'mention', post_id: asked, comment_id: below.id },
          ...{ post_title: title, excerpt: 'yes, @bob' },
        },
        {
          ...{ ...place, kind: 'reply', post_id: asked, comment_id: root.id },
          ...{ post_title: title, excerpt: 'Conference' },
        },
        {
          ...{ ...place, kind: 'mention', post_id: mentioning, read: true },
          ...{ post_title: 'Ripe plums', excerpt: 'for @bob and all' },
        },
        { channel_id: talk, kind: 'reply', message_id, excerpt: 'I am' },
      ]);
    });

    test('[RD20] the words are those of now: spoilers stay covered, long texts are cut, and edits show', async () => {
      const { id } = await ask(bob, 'Endings');
      const covered = await answer(ada, id, 'the ||gardener\ndid|| it');
      expect((await listed())[0]?.excerpt).toBe('the ▇▇▇ it');
      const content = `${'a'.repeat(195)} ||${'b'.repeat(90)}|| c`;
      await changeComment(own.ctx, ada, { id: covered.id, content });
      expect((await listed())[0]?.excerpt).toBe(`${'a'.repeat(195)} ▇▇▇…`);
      await changeComment(own.ctx, ada, { id: covered.id, content: `||${'b'.repeat(3_000)}||` });
      expect((await listed())[0]?.excerpt).toBe('▇▇▇…');
      await ask(ada, 'Who did it', '@bob, the gardener', { spoiler: true });
      const [spoiler] = await listed();
      expect([spoiler?.post_title, spoiler?.excerpt]).toEqual(['Who did it', undefined]);
    });

    test('[RD16] a notification about something that was deleted or is hidden shows none of it', async () => {
      const { id } = await ask(bob, 'Pears');
      const [first, second] = [await answer(ada, id, 'one'), await answer(ada, id, 'two')];
      await answer(ada, id, 'below', first.id);
      const texts = async () => (await listed()).map(({ excerpt }) => excerpt);
      expect(await texts()).toEqual(['two', 'one']);
      // It has a reply, so its place is kept.
      await deleteComment(own.ctx, ada, { id: first.id });
      expect(await texts()).toEqual(['two']);
      const everyone = { id: posts, subject_id: garden.id } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, kind: 'role', allow: [], deny: ['VIEW'] });
      expect(await texts()).toEqual([]);
      await removeOverwrite(own.ctx, ada, everyone);
      expect((await listed()).map(({ comment_id }) => comment_id)).toEqual([second.id]);
      // The job that removes its comments has not run.
      await deletePost(own.ctx, ada, { id });
      expect(await texts()).toEqual([]);
    });

    test('[RD21] reading a post also reads the notifications about it and its comments, on every device, and no others', async () => {
      const [{ id }, { id: other }] = [await ask(bob, 'Pears'), await ask(bob, 'Plums')];
      const first = await answer(ada, id, 'one');
      await markNotifications(own.ctx, bob, { last_read_id: first.id });
      const second = await answer(ada, id, '@bob');
      await answer(ada, other, 'three');
      await sentToBob();
      const unread = async () =>
        (await listed()).flatMap(({ read, excerpt }) => (read === true ? [] : [excerpt]));
      expect(await unread()).toEqual(['three', '@bob']);
      await readPost(own.ctx, bob, { id });
      expect(await unread()).toEqual(['three']);
      const user = await own.ctx.users.get(ada.user_id);
      const d = {
        ...{ id: second.id, kind: 'mention', user, community_id: garden.id, channel_id: posts },
        ...{ post_id: id, comment_id: second.id, created_at: second.created_at, read: true },
      };
      expect(await sentToBob()).toEqual([{ op: 'NOTIFICATION_UPDATE', d }]);
      await readPost(own.ctx, bob, { id });
      expect(await sentToBob()).toEqual([]);
    });
  });
});
