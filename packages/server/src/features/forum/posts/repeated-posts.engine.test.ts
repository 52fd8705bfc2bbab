import {
  NotFoundError,
  ValidationError,
  type Channel,
  type NewPost,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { createPost } from './create-post.ts';
import { crosspost } from './crosspost.ts';
import { deletePost } from './delete-post.ts';

onEachDatabase((open) => {
  describe('posts that are sent again', () => {
    let own: CommunityTest;
    let ada: Account;
    let garden: OwnCommunity;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      channel = await make('posts');
    });

    const make = (kind: 'posts' | 'messages') =>
      createChannel(own.ctx, ada, { community_id: garden.id, kind, name: kind });
    /** Posts twice with a nonce, and once without one, which is refused by then. */
    const repeat = async (input: Omit<NewPost, 'title' | 'nonce'>, meanwhile: () => unknown) => {
      const post = { channel_id: channel.id, title: 'Basil', ...input };
      const first = await createPost(own.ctx, ada, { ...post, nonce: 'once' });
      await meanwhile();
      const again = await createPost(own.ctx, ada, { ...post, nonce: 'once' });
      expect(again.id).toBe(first.id);
      expect(await failureOf(createPost(own.ctx, ada, post))).toBeInstanceOf(ValidationError);
    };

    test('[PO3] a nonce leads to its post, although its poll ends too soon by now', async () => {
      const poll = { options: ['Yes', 'No'], ends_at: own.clock.unixMs() + 62_000 };
      await repeat({ poll }, () => own.clock.advance(5_000));
    });

    test('[PO3] a nonce leads to its post, although its tag was removed', async () => {
      const { tags } = await changeChannel(own.ctx, ada, { id: channel.id, tags: [{ name: 'a' }] });
      const tagIds = (tags ?? []).map(({ id }) => id);
      await repeat({ tag_ids: tagIds }, () =>
        changeChannel(own.ctx, ada, { id: channel.id, tags: [] }),
      );
    });

    test('[PO3] a nonce leads to its post, although its message was deleted', async () => {
      const { id: channelId } = await make('messages');
      const { id } = await postMessage(own.ctx, ada, { channel_id: channelId, content: 'Basil' });
      const source = { channel_id: channelId, id };
      await repeat({ from_message: source }, () => deleteChannelMessage(own.ctx, ada, source));
    });

    test('[PO3] a nonce leads to its crosspost, although the post that it repeats was deleted', async () => {
      const { id } = await createPost(own.ctx, ada, { channel_id: channel.id, title: 'Basil' });
      const other = await make('posts');
      const place = { id, channel_id: other.id };
      const first = await crosspost(own.ctx, ada, { ...place, nonce: 'once' });
      await deletePost(own.ctx, ada, { id });
      const again = await crosspost(own.ctx, ada, { ...place, nonce: 'once' });
      expect(again.id).toBe(first.id);
      expect(await failureOf(crosspost(own.ctx, ada, place))).toBeInstanceOf(NotFoundError);
    });

    test('[PO3] the post of a nonce is read once, also if it has an address', async () => {
      const input = { channel_id: channel.id, title: 'Basil', url: 'https://a.example/' };
      const first = await createPost(own.ctx, ada, { ...input, nonce: 'once' });
      const statements: string[] = [];
      const reader = readerBefore(own.ctx.database.reader, async ({ sql }) => {
        if (sql.includes('posts')) statements.push(sql);
      });
      const ctx = { ...own.ctx, database: { ...own.ctx.database, reader } };
      const again = await createPost(ctx, ada, { ...input, nonce: 'once' });
      expect(again.id).toBe(first.id);
      expect(statements).toEqual([...new Set(statements)]);
    });

    test('[PO3] a nonce that is forgotten leads to no post', async () => {
      const input = { channel_id: channel.id, title: 'Basil', nonce: 'once' };
      const first = await createPost(own.ctx, ada, input);
      own.clock.advance(600_000);
      expect((await createPost(own.ctx, ada, input)).id).not.toBe(first.id);
    });
  });
});
