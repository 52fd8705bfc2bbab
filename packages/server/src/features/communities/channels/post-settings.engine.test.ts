import {
  ValidationError,
  type Channel,
  type Id,
  type OverwriteChange,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { listAuditLog } from '../audit-log/list-audit-log.ts';
import { changeChannel } from './change-channel.ts';
import { createChannel } from './create-channel.ts';
import { findChannel } from './list-channels.ts';
import { setOverwrite } from './set-overwrite.ts';

type Change = Omit<Parameters<typeof changeChannel>[2], 'id'>;

onEachDatabase((open) => {
  describe('settings of channels with posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let garden: OwnCommunity;
    let posts: Channel;
    let talk: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, {});
      const community = { community_id: garden.id };
      posts = await createChannel(own.ctx, ada, { ...community, kind: 'posts', name: 'news' });
      talk = await createChannel(own.ctx, ada, { ...community, kind: 'messages', name: 'talk' });
    });

    const change = (changes: Change, { id } = posts) =>
      changeChannel(own.ctx, ada, { id, ...changes });
    async function refused(changes: Change, field: string, channel = posts) {
      const failure = await failureOf(change(changes, channel));
      if (!(failure instanceof ValidationError)) throw new Error('accepted', { cause: failure });
      expect(failure.data).toMatchObject({ field_name: field });
    }

    test('[CH8][CH8a] tags keep their ids when they are renamed, moved or joined by others', async () => {
      const first = await change({
        tags: [{ name: 'Herbs', colour: '#112233' }, { name: 'Trees' }],
      });
      const [herbs, trees] = first.tags ?? [];
      expect(first.tags).toMatchObject([{ name: 'Herbs', colour: '#112233' }, { name: 'Trees' }]);
      if (herbs === undefined || trees === undefined) throw new Error('there are no tags');
      const second = await change({ tags: [{ ...trees, name: 'Woods' }, { name: 'Moss' }, herbs] });
      expect(second.tags).toMatchObject([{ id: trees.id, name: 'Woods' }, { name: 'Moss' }, herbs]);
      await refused({ tags: [{ id: posts.id, name: 'Unknown' }] }, 'tags');
      await refused({ tags: [herbs, herbs] }, 'tags');
      await refused({ tags: [{ name: 'Moss' }, { name: 'mOSS' }] }, 'tags');
      expect(await change({ tags: [] })).not.toHaveProperty('tags');
    });

    test('[CH8][CH8b] posts are shown in channels with messages of the community only', async () => {
      const changed = await change({ card_channel_ids: [talk.id, talk.id] });
      expect(changed.card_channel_ids).toEqual([talk.id]);
      const other = await own.garden(ada, {});
      const [away] = other.channels;
      await refused({ card_channel_ids: [posts.id] }, 'card_channel_ids');
      await refused({ card_channel_ids: away ? [away.id] : [] }, 'card_channel_ids');
      expect(await change({ card_channel_ids: [] })).not.toHaveProperty('card_channel_ids');
    });

    test('[CH8][CH8b][CH8c] posts are shown in channels only that exactly those see who see their channel', async () => {
      const hide = (id: Id, deny: 'VIEW'[]) =>
        setOverwrite(own.ctx, ada, { id, subject_id: garden.id, kind: 'role', allow: [], deny });
      await hide(talk.id, ['VIEW']);
      await refused({ card_channel_ids: [talk.id] }, 'card_channel_ids');
      const made = { community_id: garden.id, kind: 'posts', name: 'more' } as const;
      const making = createChannel(own.ctx, ada, { ...made, card_channel_ids: [talk.id] });
      expect(await failureOf(making)).toBeInstanceOf(ValidationError);
      await hide(posts.id, ['VIEW']);
      const both = await change({ card_channel_ids: [talk.id] });
      expect(both.card_channel_ids).toEqual([talk.id]);
      await hide(posts.id, []);
      const known = () => findChannel(own.ctx, ada, { id: posts.id });
      expect(await known()).not.toHaveProperty('card_channel_ids');
      // Other changes do not forget it.
      await change({ questions: true });
      await hide(talk.id, []);
      expect((await known()).card_channel_ids).toEqual([talk.id]);
    });

    test('[CH8][CH8b] a new channel shows its posts only where exactly those see them who will see it', async () => {
      const everyone: OverwriteChange = { kind: 'role', allow: [], deny: ['VIEW'] };
      const place = { community_id: garden.id, name: 'more' };
      const category = await createChannel(own.ctx, ada, { ...place, kind: 'category' });
      await setOverwrite(own.ctx, ada, { ...everyone, id: category.id, subject_id: garden.id });
      const within = { ...place, category_id: category.id };
      const walk = await createChannel(own.ctx, ada, { ...within, kind: 'messages' });
      const ofPosts = { ...place, kind: 'posts' } as const;
      const overwrites = [{ ...everyone, id: garden.id }];
      for (const where of [{ category_id: category.id }, { overwrites }]) {
        const given = { ...ofPosts, ...where, card_channel_ids: [talk.id] };
        const failure = await failureOf(createChannel(own.ctx, ada, given));
        if (!(failure instanceof ValidationError)) throw new Error('accepted', { cause: failure });
        expect(failure.data).toMatchObject({ field_name: 'card_channel_ids' });
      }
      const seen = [walk.id];
      const made = { ...ofPosts, category_id: category.id, card_channel_ids: seen };
      expect((await createChannel(own.ctx, ada, made)).card_channel_ids).toEqual(seen);
    });

    test('[CH8][CH8c] a change of the channels that show posts keeps those that are not shown', async () => {
      const made = { community_id: garden.id, kind: 'messages', name: 'walk' } as const;
      const walk = await createChannel(own.ctx, ada, made);
      await change({ card_channel_ids: [talk.id] });
      const hide = (deny: 'VIEW'[]) =>
        setOverwrite(own.ctx, ada, {
          id: talk.id,
          subject_id: garden.id,
          kind: 'role',
          allow: [],
          deny,
        });
      await hide(['VIEW']);
      expect((await change({ card_channel_ids: [walk.id] })).card_channel_ids).toEqual([walk.id]);
      expect(await change({ card_channel_ids: [] })).not.toHaveProperty('card_channel_ids');
      await hide([]);
      const known = () => findChannel(own.ctx, ada, { id: posts.id });
      expect((await known()).card_channel_ids).toEqual([talk.id]);
      await change({ card_channel_ids: [] });
      expect(await known()).not.toHaveProperty('card_channel_ids');
    });

    test('[CH8] the settings are for channels with posts, and the audit log notes a change', async () => {
      const given = { questions: true, downvotes: false, hide_scores_seconds: 60 };
      expect(await change(given)).toMatchObject(given);
      const [entry] = await listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 1 });
      expect(entry).toMatchObject({ action: 'channel_update', target: { id: posts.id } });
      await refused({ questions: true }, 'questions', talk);
      await refused({ tags: [{ name: 'Herbs' }] }, 'tags', talk);
      await refused({ card_channel_ids: [talk.id] }, 'card_channel_ids', talk);
      const cleared = await change({
        questions: false,
        downvotes: true,
        hide_scores_seconds: null,
      });
      for (const field of Object.keys(given)) expect(cleared).not.toHaveProperty(field);
    });
  });
});
