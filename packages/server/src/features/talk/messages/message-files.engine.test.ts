import { ValidationError, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { createUpload } from '../../files/uploads/create-upload.ts';
import { removeOwnUpload } from '../../files/uploads/remove-upload.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { deleteManyMessages } from './delete-messages.ts';
import { eraseChannelMessages } from './erase-messages.ts';
import { exportChannelMessages } from './export-messages.ts';
import { listChannelMessages } from './list-messages.ts';
import { postMessage } from './post-message.ts';
import { purgeFiles } from './purge-files.ts';
import { addChannelReaction } from './react.ts';

onEachDatabase((open) => {
  describe('files and people of messages', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    let made = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      const [first] = garden.channels;
      if (first === undefined) throw new Error('there is no first channel');
      general = first.id;
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
    });

    const upload = async (by: Account) => {
      const sealed = await sealContent(own.ctx, `file ${(made += 1)}`);
      const file = { bucket: 'attachments', name: 'a.txt', spoiler: false, sealed };
      return (await createUpload(own.ctx, by, file)).id as Id;
    };
    const post = (by: Account, attachments: { id: Id; alt?: string }[], content = '') =>
      postMessage(own.ctx, by, { channel_id: general, content, attachments });
    const list = () => listChannelMessages(own.ctx, ada, { channel_id: general, limit: 100 });
    const stored = async (table: 'uploads' | 'contents' | 'channel_files' | 'channel_messages') =>
      (await own.database.reader.selectFrom(table).selectAll().execute()).length;
    // Guarantee: these take nothing else of an instance.
    const instance = () => own.ctx;
    const signal = new AbortController().signal;

    test('[CM21] a message has the files of its author, with their keys and what they show', async () => {
      const [one, two] = [await upload(bob), await upload(bob)];
      const message = await post(bob, [{ id: two, alt: 'A rose' }, { id: one }]);
      expect(message).toMatchObject({
        content: '',
        attachments: [
          { id: two, name: 'a.txt', alt: 'A rose', size: 6, key: expect.any(String) },
          { id: one },
        ],
      });
      expect(message.attachments?.[1]).not.toHaveProperty('alt');
      expect((await list())[0]).toEqual(message);
    });

    test('[CM21][CM21a] a file is attached by its uploader only, and once, also at the same time', async () => {
      const id = await upload(bob);
      const refusal = async (by: Account, ...ids: Id[]) => {
        const error = await failureOf(
          post(
            by,
            ids.map((each) => ({ id: each })),
          ),
        );
        expect(error).toBeInstanceOf(ValidationError);
        expect(error).toMatchObject({ data: { field_name: 'attachments' } });
      };
      await refusal(ada, id);
      await refusal(bob, '1' as Id);
      await refusal(bob, id, id);
      const tries = await Promise.allSettled([post(bob, [{ id }]), post(bob, [{ id }])]);
      expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await refusal(bob, id);
      expect(await list()).toHaveLength(1);
      const everyone = { id: general, subject_id: garden.id, kind: 'role' } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['ATTACH_FILES'] });
      const error = await failureOf(post(bob, [{ id: await upload(bob) }]));
      expect(error).toMatchObject({ data: { permission: 'ATTACH_FILES' } });
    });

    test('[CM22] the files of a message go with it, also with a channel', async () => {
      const before = [await stored('uploads'), await stored('contents')];
      const messages = [];
      for (let i = 0; i < 3; i += 1) messages.push(await post(bob, [{ id: await upload(bob) }]));
      const [one, two] = messages;
      if (one === undefined || two === undefined) throw new Error('nothing was posted');
      await deleteChannelMessage(own.ctx, bob, { channel_id: general, id: one.id });
      await deleteManyMessages(own.ctx, ada, { channel_id: general, ids: [two.id] });
      expect([await stored('uploads'), await stored('contents')]).toEqual(
        before.map((count) => count + 1),
      );
      await purgeFiles(own.ctx, { channelId: general, signal });
      expect([await stored('uploads'), await stored('contents')]).toEqual(before);
      expect(await list()).toEqual([]);
    });

    test('[CM22] a file that its uploader removes is gone from its message', async () => {
      const id = await upload(bob);
      await post(bob, [{ id }], 'Look');
      await removeOwnUpload(own.ctx, bob, { id });
      const [message] = await list();
      expect(message?.content).toBe('Look');
      expect(message?.attachments ?? []).toEqual([]);
    });

    test('[CM23] with an account its messages, files and reactions go, unless the person lets them stay', async () => {
      const eve = await own.person(`eve${made}`);
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      const { id } = await post(ada, [], 'Hello');
      const place = { channel_id: general, id };
      await post(eve, [{ id: await upload(eve) }], 'Mine');
      await addChannelReaction(own.ctx, eve, { ...place, emoji: '🌱' });
      await addChannelReaction(own.ctx, ada, { ...place, emoji: '🌱' });
      const account = { userId: eve.user_id, signal };
      await eraseChannelMessages(instance(), { ...account, content: 'keep' });
      expect(await list()).toHaveLength(2);
      const before = await stored('uploads');
      for (let round = 0; round < 2; round += 1) {
        await eraseChannelMessages(instance(), { ...account, content: 'erase' });
      }
      expect(await stored('uploads')).toBe(before - 1);
      const [left, ...others] = await list();
      expect(others).toEqual([]);
      expect(left).toMatchObject({
        reactions: [{ emoji: '🌱', count: 1, mine: true }],
        version: 4,
      });
    });

    test('[CM24] the archive of a person has their messages and reactions', async () => {
      const eve = await own.person(`eve${(made += 1)}`);
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      const first = await post(eve, [{ id: await upload(eve), alt: 'A' }], 'One');
      await post(ada, [], 'Not mine');
      await postMessage(own.ctx, eve, { channel_id: general, content: 'Two', reply_to: first.id });
      await addChannelReaction(own.ctx, eve, { channel_id: general, id: first.id, emoji: '🌱' });
      const files = await exportChannelMessages(instance(), eve.user_id);
      const texts = new Map<string, unknown>();
      for (const { name, read } of files) {
        const parts = await Array.fromAsync((await read()) as AsyncIterable<string>);
        texts.set(name, JSON.parse(parts.join('')));
      }
      const at = { channel_id: general, created_at: own.clock.unixMs() };
      expect(Object.fromEntries(texts)).toEqual({
        'messages.json': [
          {
            ...at,
            id: first.id,
            content: 'One',
            attachments: [{ id: first.attachments?.[0]?.id, alt: 'A' }],
          },
          { ...at, id: expect.any(String), content: 'Two', reply_to: first.id },
        ],
        'message-reactions.json': [{ ...at, message_id: first.id, emoji: '🌱' }],
      });
    });
  });
});
