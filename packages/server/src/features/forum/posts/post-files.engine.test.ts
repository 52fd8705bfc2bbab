import {
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { newPostSchema } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { listUserPosts } from '../post-lists/list-user-posts.ts';
import { createUpload } from '../../files/uploads/create-upload.ts';
import { removeOwnUpload } from '../../files/uploads/remove-upload.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { erasePosts } from './delete-posts-of.ts';
import { findPost } from './complete-posts.ts';
import { purgePostFiles } from './remove-posts.ts';

interface Given {
  readonly id: Id;
  readonly alt?: string;
}

onEachDatabase((open) => {
  describe('files of posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let news: Id;
    let made = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      const channel = { community_id: garden.id, kind: 'posts', name: 'news' } as const;
      news = (await createChannel(own.ctx, ada, channel)).id;
    });

    const upload = async (by: Account, name = 'a.txt') => {
      const sealed = await sealContent(own.ctx, `file of a post ${(made += 1)}`);
      const file = { bucket: 'attachments', name, spoiler: false, sealed };
      return (await createUpload(own.ctx, by, file)).id as Id;
    };
    const post = (by: Account, attachments: readonly Given[]) =>
      createPost(own.ctx, by, { channel_id: news, title: 'Roses', attachments: [...attachments] });
    /** Counts the rows of everything that a file needs. */
    const stored = () =>
      Promise.all(
        (['uploads', 'contents', 'post_files'] as const).map(
          async (table) =>
            (await own.database.reader.selectFrom(table).selectAll().execute()).length,
        ),
      );
    const { signal } = new AbortController();
    const deny = (...permissions: ('VIEW' | 'ATTACH_FILES')[]) => {
      const everyone = { id: news, subject_id: garden.id, kind: 'role' } as const;
      return setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: permissions });
    };

    test('[PO19] a post has its files in the order given, with what they show, and with keys for those who see it', async () => {
      const [one, two] = [await upload(bob, '1.txt'), await upload(bob, '2.txt')];
      const created = await post(bob, [{ id: two, alt: 'A rose' }, { id: one }]);
      expect(created.attachments).toMatchObject([
        { id: two, name: '2.txt', alt: 'A rose', key: expect.any(String) },
        { id: one, name: '1.txt', key: expect.any(String) },
      ]);
      expect(created.attachments?.[1]).not.toHaveProperty('alt');
      const shown = async (actor: Account | typeof ANYONE) => [
        (await findPost(own.ctx, actor, { id: created.id })).attachments,
        (await listUserPosts(own.ctx, actor, { id: bob.user_id, limit: 1 })).entries[0]
          ?.attachments,
      ];
      const both = [created.attachments, created.attachments];
      expect(await shown(ANYONE)).toEqual(both);
      await deny('VIEW');
      expect(await shown(ada)).toEqual(both);
      const hidden = await failureOf(findPost(own.ctx, bob, { id: created.id }));
      expect(hidden).toEqual(new NotFoundError());
      const { entries } = await listUserPosts(own.ctx, bob, { id: bob.user_id, limit: 10 });
      expect(entries.map(({ id }) => id)).not.toContain(created.id);
    });

    test('[PO19][PO19a] a file is attached by its uploader only, and once, also at the same time', async () => {
      const id = await upload(bob);
      const refused = async (work: Promise<unknown>) => {
        const error = await failureOf(work);
        expect(error).toBeInstanceOf(ValidationError);
        expect(error).toMatchObject({ data: { field_name: 'attachments' } });
      };
      await refused(post(ada, [{ id }]));
      await refused(post(bob, [{ id: '1' as Id }]));
      await refused(post(bob, [{ id }, { id }]));
      const tries = await Promise.allSettled([post(bob, [{ id }]), post(bob, [{ id }])]);
      expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await refused(post(bob, [{ id }]));
      // Neither does a message take what a post has, nor a post what a message has.
      const general = garden.channels[0]?.id ?? news;
      const say = (file: Id) =>
        postMessage(own.ctx, bob, {
          channel_id: general,
          content: '',
          attachments: [{ id: file }],
        });
      await refused(say(id));
      const said = await upload(bob);
      await say(said);
      await refused(post(bob, [{ id: said }]));
      const { entries } = await listUserPosts(own.ctx, bob, { id: bob.user_id, limit: 10 });
      expect(entries.filter(({ channel_id: channel }) => channel === news)).toHaveLength(1);
    });

    test('[PO19][PO19a] a post has at most ten files, of members with ATTACH_FILES', async () => {
      const files = (count: number) =>
        Array.from({ length: count }, (_, at) => ({ id: `${at + 1}` }));
      const parsed = (count: number) =>
        newPostSchema.safeParse({ title: 'Roses', attachments: files(count) });
      expect([parsed(10).success, parsed(11).success]).toEqual([true, false]);
      const id = await upload(bob);
      await deny('ATTACH_FILES');
      const error = await failureOf(post(bob, [{ id }]));
      expect(error).toBeInstanceOf(ForbiddenError);
      expect(error).toMatchObject({ data: { permission: 'ATTACH_FILES' } });
    });

    test('[PO7, PO19] the files of a post go with it, and with its channel even if that was interrupted', async () => {
      const before = await stored();
      const posts = [];
      for (let count = 0; count < 3; count += 1)
        posts.push(await post(bob, [{ id: await upload(bob) }]));
      expect(await stored()).toEqual(before.map((count) => count + 3));
      await deletePost(own.ctx, bob, { id: posts[0]?.id ?? news });
      expect(await stored()).toEqual(before.map((count) => count + 2));
      const channel = { communityId: garden.id, channelId: news };
      const stopped = purgePostFiles(own.ctx, {
        ...channel,
        signal: AbortSignal.abort(new Error('stopped')),
      });
      expect(await failureOf(stopped)).toEqual(new Error('stopped'));
      expect(await stored()).toEqual(before.map((count) => count + 2));
      await purgePostFiles(own.ctx, { ...channel, signal });
      expect(await stored()).toEqual(before);
    });

    test('[PO19] a file that its uploader removes is missing from its post', async () => {
      const [one, two] = [await upload(bob), await upload(bob)];
      const { id } = await post(bob, [{ id: one }, { id: two }]);
      await removeOwnUpload(own.ctx, bob, { id: one });
      const { attachments } = await findPost(own.ctx, ada, { id });
      expect(attachments?.map((file) => file.id)).toEqual([two]);
    });

    test('[PO13, PO19] with an account that is erased its files of posts go, and otherwise they stay', async () => {
      const eve = await own.person(`eve${(made += 1)}`);
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      const before = await stored();
      const { id } = await post(eve, [{ id: await upload(eve) }]);
      const account = { userId: eve.user_id, signal };
      await erasePosts(own.ctx, { ...account, content: 'keep' });
      expect((await findPost(own.ctx, ada, { id })).attachments).toHaveLength(1);
      await erasePosts(own.ctx, { ...account, content: 'erase' });
      expect(await stored()).toEqual(before);
    });
  });
});
