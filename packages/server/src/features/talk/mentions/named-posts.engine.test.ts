import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { accessToChannel } from '../../communities/structure/access.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { mentionedPosts, postsNamed } from './named-posts.ts';

onEachDatabase((open) => {
  describe('posts that a text names', () => {
    let own: CommunityTest;
    let ada: Account;
    const statements: string[] = [];

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      const { reader } = own.database;
      const run = reader.executeQuery.bind(reader);
      spyOn(reader, 'executeQuery').mockImplementation((query, ...rest) => {
        statements.push('sql' in query ? query.sql : '');
        return run(query, ...rest);
      });
    });
    afterAll(() => own[Symbol.asyncDispose]());
    afterEach(() => void statements.splice(0));

    const ofPosts = () => statements.filter((sql) => sql.includes('from posts'));

    test('[PO12] posts are looked up without their texts', async () => {
      const garden = await own.garden(ada, { visibility: 'public' });
      const settings = { community_id: garden.id, kind: 'posts', name: 'news' } as const;
      const channel = await createChannel(own.ctx, ada, settings);
      const given = { channel_id: channel.id, title: 'Basil', content: 'é'.repeat(40_000) };
      const { id } = await createPost(own.ctx, ada, given);
      const place = await accessToChannel(own.ctx, ada, channel.id);
      statements.splice(0);

      const text = `/c/${garden.slug}/p/${id}`;
      expect(await postsNamed(own.ctx, place, text)).toEqual([id]);
      const naming = { id: '1' as Id, channelId: channel.id, communityId: garden.id };
      const mentioned = await mentionedPosts(own.ctx, [{ ...naming, mentions: { posts: [id] } }]);
      expect([...mentioned.values()]).toEqual([[{ id, title: 'Basil' }]]);
      expect(ofPosts()).toHaveLength(2);
      for (const sql of ofPosts()) expect(sql).not.toMatch(/\*|content/);
    });
  });
});
