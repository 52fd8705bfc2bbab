import {
  ConflictError,
  NotFoundError,
  ValidationError,
  type Channel,
  type ChannelMessage,
  type Id,
  type NewPost,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER, type Account } from '../../../actor.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { JobRunner } from '../../platform/jobs/job-runner.ts';
import { listJobs } from '../../platform/jobs/manage-jobs.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changeChannelMessage } from '../../talk/messages/change-message.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { exportChannelMessages } from '../../talk/messages/export-messages.ts';
import { findChannelMessage, listChannelMessages } from '../../talk/messages/list-messages.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { listNotifications } from '../../talk/notifications/list-notifications.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { crosspost } from './crosspost.ts';
import { deletePost } from './delete-post.ts';
import { findPost } from './complete-posts.ts';
import { retitleCards } from './retitle-cards.ts';
import { unlinkPost } from './unlink-post.ts';

onEachDatabase((open) => {
  describe('posts and messages', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let channel: Channel;
    let talk: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      channel = await make({ kind: 'posts', name: 'news' });
      talk = (await make({ kind: 'messages', name: 'talk' })).id;
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
    const say = (by: Account, content: string, place = talk) =>
      postMessage(own.ctx, by, { channel_id: place, content });
    const find = (id: Id, actor = ada) => findPost(own.ctx, actor, { id });
    const said = (id: Id, place = talk) =>
      findChannelMessage(own.ctx, ada, { channel_id: place, id });
    const shown = (place = talk) =>
      listChannelMessages(own.ctx, ada, { channel_id: place, limit: 10 });
    const sourceOf = ({ channel_id, id }: ChannelMessage) => ({ from_message: { channel_id, id } });
    const events = async () => (await own.emitted()).flatMap(({ event }) => event ?? []);
    const hide = (id: Id) =>
      setOverwrite(own.ctx, ada, {
        id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });

    /** Does what waits to be done, and returns what was sent meanwhile. */
    async function work() {
      await own.emitted();
      const kinds = [unlinkPost(own.ctx), retitleCards(own.ctx)];
      await using _runner = new JobRunner({ ...own.ctx, kinds });
      const names = new Set(kinds.map(({ name }) => name));
      await until(async () => {
        const jobs = await listJobs(own.ctx, OWNER, { isFailed: false });
        return !jobs.some(({ kind }) => names.has(kind));
      });
      return await events();
    }

    async function refused(work_: Promise<unknown>, field: string) {
      const failure = await failureOf(work_);
      if (!(failure instanceof ValidationError)) throw new Error('accepted', { cause: failure });
      expect(failure.data).toMatchObject({ field_name: field });
    }

    test('[PO16][PO16a] a message becomes a post, and each names the other', async () => {
      const message = await say(bob, 'How does basil grow?');
      await own.emitted();
      const made = await post(ada, 'Basil', sourceOf(message));
      expect(made).toMatchObject(sourceOf(message));
      expect(await find(made.id)).toMatchObject(sourceOf(message));
      const changed = { id: message.id, post_id: made.id, version: 2 };
      expect(await said(message.id)).toMatchObject({ ...changed, content: message.content });
      expect(await said(message.id)).not.toHaveProperty('kind');
      const sent = await events();
      expect(sent.find(({ op }) => op === 'POST_CREATE')?.d).toMatchObject(sourceOf(message));
      expect(sent.find(({ op }) => op === 'MESSAGE_UPDATE')?.d).toMatchObject(changed);
    });

    test('[PO16] a message becomes one post only, however many people try', async () => {
      const message = await say(bob, 'How does basil grow?');
      const tries = await Promise.allSettled(
        [ada, bob, ada, bob].map((by, at) => post(by, `Basil ${at}`, sourceOf(message))),
      );
      const failures = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(failures).toHaveLength(3);
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(ConflictError);
        expect(failure.data).toMatchObject({ code: 'taken', field_name: 'from_message' });
      }
    });

    test('[PO16] a message that the caller does not see becomes no post', async () => {
      const message = await say(ada, 'Secret');
      await hide(talk);
      await refused(post(bob, 'Basil', sourceOf(message)), 'from_message');
      const gone = { from_message: { channel_id: talk, id: channel.id } };
      await refused(post(ada, 'Basil', gone), 'from_message');
      const made = await post(ada, 'Basil', sourceOf(message));
      expect(made).not.toHaveProperty('from_message');
      expect(await said(message.id)).toMatchObject({ post_id: made.id });
    });

    test('[PO16][PO16a] a message does not name a post that somebody who sees it may not see', async () => {
      await hide(channel.id);
      const message = await say(bob, 'How does basil grow?');
      await own.emitted();
      const made = await post(ada, 'Basil', sourceOf(message));
      expect(made).toMatchObject(sourceOf(message));
      expect(await said(message.id)).not.toHaveProperty('post_id');
      const update = (await events()).find(({ op }) => op === 'MESSAGE_UPDATE');
      expect(update?.d).toMatchObject({ id: message.id, version: 2 });
      expect(update?.d).not.toHaveProperty('post_id');
    });

    test('[PO16][PO16a] whichever of the two is deleted, the other loses its link', async () => {
      const message = await say(bob, 'How does basil grow?');
      const first = await post(ada, 'Basil', sourceOf(message));
      await deletePost(own.ctx, ada, { id: first.id });
      const [update] = await work();
      expect(update?.op).toBe('MESSAGE_UPDATE');
      expect(update?.d).toMatchObject({ id: message.id, version: 3 });
      expect(update?.d).not.toHaveProperty('post_id');
      expect(await said(message.id)).not.toHaveProperty('post_id');
      const second = await post(ada, 'Basil', sourceOf(message));
      await deleteChannelMessage(own.ctx, bob, { channel_id: talk, id: message.id });
      const [change] = await work();
      expect(change?.op).toBe('POST_UPDATE');
      expect(change?.d).toMatchObject({ id: second.id, version: 2 });
      expect(change?.d).not.toHaveProperty('from_message');
      expect(await find(second.id)).not.toHaveProperty('from_message');
    });

    test('[PO17][PO17a] a new post is shown in the channels that the channel names, without slow mode and notifications', async () => {
      const other = (await make({ kind: 'messages', name: 'other' })).id;
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk, other] });
      await changeChannel(own.ctx, ada, { id: talk, slow_mode_seconds: 60 });
      await say(bob, 'I am about to post');
      await own.emitted();
      const made = await post(bob, 'Basil for @ada');
      const card = { kind: 'post', post_id: made.id, content: made.title, author: 'bob' };
      const sent = (await events()).filter(({ op }) => op === 'MESSAGE_CREATE');
      expect(sent.map(({ d }) => d)).toEqual([
        expect.objectContaining({ ...card, channel_id: talk }),
        expect.objectContaining({ ...card, channel_id: other }),
      ]);
      for (const place of [talk, other]) {
        const [newest] = await shown(place);
        expect(newest).toMatchObject({ ...card, channel_id: place });
        const row = await own.database.reader
          .selectFrom('turns')
          .select('last_id')
          .where('id', '=', place)
          .executeTakeFirst();
        expect<unknown>(row?.last_id).toBe(newest?.id);
      }
      expect(await listNotifications(own.ctx, ada, { limit: 10 })).toEqual([]);
    });

    test('[PO17] a card leaves its channel unread for the author of the post', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      await say(ada, 'Where is @bob?');
      const unread = () => listNotifications(own.ctx, bob, { limit: 10 });
      const [before] = await unread();
      expect(before).not.toHaveProperty('read');
      await post(bob, 'Basil');
      expect(await unread()).toEqual(before === undefined ? [] : [before]);
      const marks = await own.database.reader
        .selectFrom('read_states')
        .select('user_id')
        .where('channel_id', '=', talk)
        .execute();
      expect(marks.map(({ user_id: user }) => user)).toEqual([ada.user_id]);
    });

    test('[PO17] a channel shows no card of posts that somebody who sees it may not see', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      await hide(channel.id);
      await post(ada, 'Secret');
      expect(await shown()).toEqual([]);
    });

    test('[PO17][PO17b] a card of a post that was hidden later does not say its title', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      await post(ada, 'Secret');
      const [card] = await shown();
      if (card === undefined) throw new Error('there is no card');
      const answering = { channel_id: talk, content: 'Which one?', reply_to: card.id };
      const reply = await postMessage(own.ctx, bob, answering);
      expect(reply.reply_to?.excerpt).toBe('Secret');
      await hide(channel.id);
      const [answer, hidden] = await shown();
      expect(answer?.reply_to).toMatchObject({ id: card.id, excerpt: '' });
      expect(hidden).toMatchObject({ id: card.id, kind: 'post', content: '' });
      expect(hidden).not.toHaveProperty('post_id');
    });

    test('[PO17][PO17b] a card has the title that its post has now', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const made = await post(bob, 'Basil');
      const [card] = await shown();
      if (card === undefined) throw new Error('there is no card');
      const answering = { channel_id: talk, content: 'Which one?', reply_to: card.id };
      const reply = await postMessage(own.ctx, ada, answering);
      await work();
      await changePost(own.ctx, bob, { id: made.id, title: 'Sage' });
      expect(await said(card.id)).toMatchObject({ kind: 'post', content: 'Sage' });
      expect((await said(reply.id)).reply_to?.excerpt).toBe('Sage');
      const changed = { id: card.id, kind: 'post', content: 'Sage', post_id: made.id, version: 2 };
      expect(await work()).toMatchObject([{ op: 'MESSAGE_UPDATE', d: changed }]);
      expect(await said(card.id)).toMatchObject(changed);
      await changePost(own.ctx, bob, { id: made.id, content: 'Grows.' });
      expect(await work()).toEqual([]);
      await changePost(own.ctx, bob, { id: made.id, title: 'Secret' });
      await hide(channel.id);
      expect(await work()).toEqual([]);
      expect(await said(card.id)).toMatchObject({ content: '' });
    });

    test('[PO17] two changes of a title at the same time leave a card with the one that its post has', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const { id } = await post(bob, 'Basil');
      await own.emitted();
      await changePost(own.ctx, bob, { id, title: 'Sage' });
      const meanwhile = [() => changePost(own.ctx, bob, { id, title: 'Mint' }), work];
      const transaction: typeof own.ctx.database.transaction = async (resend) => {
        for (const each of meanwhile.splice(0)) await each();
        return await own.ctx.database.transaction(resend);
      };
      const job = retitleCards({ ...own.ctx, database: { ...own.ctx.database, transaction } });
      const signal = AbortSignal.any([]);
      await job.run({ post_id: id }, { id: 'late', number: 1, signal });
      expect(await events()).toMatchObject([{ op: 'MESSAGE_UPDATE', d: { content: 'Mint' } }]);
    });

    test('[PO17][PO17a] the archive of a person has a post, and not its cards', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const eve = await own.person('eve');
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      await post(eve, 'Basil');
      await say(eve, 'Look!');
      // Guarantee: the parts below read messages, and no files.
      const parts = await exportChannelMessages(own.ctx, eve.user_id);
      const read = parts.find(({ name }) => name === 'messages.json')?.read();
      const texts = await Array.fromAsync((await read) as AsyncIterable<string>);
      const found: unknown = JSON.parse(texts.join(''));
      expect(found).toMatchObject([{ content: 'Look!' }]);
    });

    test('[PO17][PO17a] a card goes with its post, is not edited, and can be deleted', async () => {
      await changeChannel(own.ctx, ada, { id: channel.id, card_channel_ids: [talk] });
      const first = await post(bob, 'Basil');
      const [card] = await shown();
      if (card === undefined) throw new Error('there is no card');
      const place = { channel_id: talk, id: card.id };
      await refused(changeChannelMessage(own.ctx, bob, { ...place, content: 'Sage' }), 'content');
      const failure = await failureOf(post(ada, 'Again', sourceOf(card)));
      expect(failure).toBeInstanceOf(ConflictError);
      await deletePost(own.ctx, bob, { id: first.id });
      expect<unknown>(await work()).toEqual([
        expect.objectContaining({ op: 'MESSAGE_DELETE', d: { channel_id: talk, id: card.id } }),
      ]);
      expect(await shown()).toEqual([]);
      const second = await post(bob, 'Sage');
      const [next] = await shown();
      await deleteChannelMessage(own.ctx, bob, { channel_id: talk, id: next?.id ?? talk });
      expect(await shown()).toEqual([]);
      expect((await find(second.id)).title).toBe('Sage');
    });

    test('[PO17] posts and messages of several channels at once do not block each other', async () => {
      const second = await make({ kind: 'posts', name: 'more' });
      for (const { id } of [channel, second]) {
        await changeChannel(own.ctx, ada, { id, card_channel_ids: [talk] });
      }
      const messages = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => say(bob, `Number ${at}`)));
      await Promise.all(
        messages.flatMap((message, at) => [
          post(bob, `Post ${at}`, {
            channel_id: at % 2 === 0 ? channel.id : second.id,
            ...sourceOf(message),
          }),
          say(ada, `More ${at}`),
        ]),
      );
      const all = await listChannelMessages(own.ctx, ada, { channel_id: talk, limit: 50 });
      expect(all.filter(({ kind }) => kind === 'post')).toHaveLength(6);
      expect(all).toHaveLength(18);
    });

    test('[PO18] a crosspost has the title and the address of a post, and names it', async () => {
      const second = await make({ kind: 'posts', name: 'more' });
      const url = 'https://a.example/';
      const marks = { spoiler: true, sensitive: true };
      const first = await post(bob, 'Basil', { url, content: 'Grows.', ...marks });
      const place = { id: first.id, channel_id: second.id };
      const made = await crosspost(own.ctx, bob, { ...place, nonce: 'n' });
      const expected = {
        channel_id: second.id,
        crosspost_of: first.id,
        title: 'Basil',
        url,
        ...marks,
      };
      expect(made).toMatchObject(expected);
      expect(made).not.toHaveProperty('content');
      expect((await crosspost(own.ctx, bob, { ...place, nonce: 'n' })).id).toBe(made.id);
      const named = await crosspost(own.ctx, bob, { ...place, title: 'Herbs' });
      expect(named).toMatchObject({ ...expected, title: 'Herbs' });
      await hide(channel.id);
      expect(await failureOf(crosspost(own.ctx, bob, place))).toBeInstanceOf(NotFoundError);
      expect(await find(made.id)).not.toHaveProperty('crosspost_of');
      await deletePost(own.ctx, ada, { id: first.id });
      expect(await find(named.id)).not.toHaveProperty('crosspost_of');
    });

    test.each([
      ['in another form gets its normal form', 'HTTPS://A.example:443', 'https://a.example/'],
      ['with a user name is left out', 'https://bank@evil.example/', undefined],
      ['with a direction character is left out', 'https://a.example/\u202Egnp.exe', undefined],
    ])(
      '[PO18, PO21][PO18a] in a crosspost, an earlier address %s',
      async (_what, url, expected) => {
        const { id } = await post(bob, 'Basil', { url });
        const { url: copied } = await crosspost(own.ctx, bob, { id, channel_id: channel.id });
        expect(copied).toBe(expected);
      },
    );

    test('[CM25] a message mentions posts that everyone sees who sees the message', async () => {
      const { id } = await post(bob, 'Basil');
      const address = `/c/${garden.slug}/p/${id}`;
      await own.emitted();
      const message = await say(ada, `See ${address}`);
      const mentioned = { mention_posts: [{ id, title: 'Basil' }] };
      expect(message).toMatchObject(mentioned);
      const [sent] = await events();
      expect(sent).toMatchObject({ op: 'MESSAGE_CREATE', d: mentioned });
      await changePost(own.ctx, bob, { id, title: 'Sage' });
      expect(await said(message.id)).toMatchObject({ mention_posts: [{ id, title: 'Sage' }] });
      const place = { channel_id: talk, id: message.id };
      const edited = await changeChannelMessage(own.ctx, ada, { ...place, content: 'No' });
      expect(edited).not.toHaveProperty('mention_posts');
      await changeChannelMessage(own.ctx, ada, { ...place, content: address });
      expect(await said(message.id)).toMatchObject({ mention_posts: [{ id }] });
      await hide(channel.id);
      expect(await said(message.id)).not.toHaveProperty('mention_posts');
      expect(await say(ada, address)).not.toHaveProperty('mention_posts');
      await deletePost(own.ctx, ada, { id });
      expect(await said(message.id)).not.toHaveProperty('mention_posts');
    });
  });
});
