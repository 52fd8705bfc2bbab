import type { ChannelMessage, Id, NewPost, Post } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { WRITTEN_NONCE, writingProcess } from '@hearth/testing/instances/writing-process';
import { failingAt } from '@hearth/testing/ports/failing-statement';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { startPostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { postgresDatabase } from '../../../engines/databases.ts';
import { ownerOutbox, type EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { listChannelMessages } from '../../talk/messages/list-messages.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { createUpload } from '../../files/uploads/create-upload.ts';
import { createPost } from './create-post.ts';
import { findPost } from './complete-posts.ts';

const NAMES = ['ada', 'bob', 'cat', 'dan', 'eve'];
const log = jsonLogger('silent', () => {});

onEachDatabase((open, engine) => {
  describe('posts in one transaction', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let ada: Account;
    let garden: Id;
    let channel: Id;
    let channels = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      people = await Promise.all(NAMES.map((name) => own.person(name)));
      [ada] = people as [Account, ...Account[]];
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = (await own.garden(ada, { visibility: 'public', join: 'open' })).id;
      for (const other of people.slice(1)) {
        await joinCommunity(own.ctx, other, { community_id: garden });
      }
      channel = await make('posts');
      await own.emitted();
    });

    const make = async (kind: 'posts' | 'messages') => {
      channels += 1;
      const name = `${kind}-${channels}`;
      return (await createChannel(own.ctx, ada, { community_id: garden, kind, name })).id;
    };

    type Given = Partial<Omit<NewPost, 'title'>> & { readonly title?: string };

    const post = (ctx: InstanceContext, person: Account, given: Given = {}) =>
      createPost(ctx, person, { channel_id: channel, title: person.user_id, ...given });

    const verbOf = (person: Account, given?: Given) => (database: EmittingDatabase) =>
      post({ ...own.ctx, database }, person, given);

    const values = (results: readonly PromiseSettledResult<Post>[]) =>
      results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));

    /** The titles of the posts of the channel, in the order of their ids. */
    const titles = async () => {
      const rows = await own.database.reader
        .selectFrom('posts')
        .select('title')
        .where('channel_id', '=', channel)
        .orderBy('id')
        .execute();
      return rows.map(({ title }) => title);
    };

    const events = async (op: string) =>
      (await own.emitted()).flatMap(({ event }) => (event?.op === op ? [event.d] : []));

    /** Counts the events that a channel has had since that of its creation. */
    const eventsIn = async (id: Id) => {
      const row = await own.database.reader
        .selectFrom('turns')
        .select('number')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return Number(row.number) - 1;
    };

    test('[PO1][SC45] posts that come at once are stored and sent in one order, and answered as they are found', async () => {
      const poll = { options: ['Yes', 'No'], ends_at: own.clock.unixMs() + 3_600_000 };
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) =>
          verbOf(
            person,
            at === 3 ? { poll } : { content: `@cat ${at}`, url: 'https://a.example/' },
          ),
        ),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([NAMES.length]);
      const posts = values(results);
      expect(posts.map(({ title }) => title)).toEqual(people.map(({ user_id: id }) => id));
      const ids = posts.map(({ id }) => BigInt(id));
      expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? -1 : 1)));
      expect(await titles()).toEqual(people.map(({ user_id: id }) => id));
      expect(await events('POST_CREATE')).toMatchObject(posts.map(({ id }) => ({ id })));
      expect(await eventsIn(channel)).toBe(NAMES.length);
      for (const [at, person] of people.entries()) {
        const answer = posts[at];
        expect(await findPost(own.ctx, person, { id: answer?.id ?? channel })).toEqual(
          answer as Post,
        );
      }
    });

    test('[PO2][SC45] in slow mode, a second post of somebody in the same transaction is refused', async () => {
      await changeChannel(own.ctx, ada, { id: channel, slow_mode_seconds: 60 });
      const [, bob, cat] = people as [Account, Account, Account];
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        [bob, cat, bob, ada, ada].map((person) => verbOf(person)),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(results[2]).toMatchObject({ reason: { data: { retry_after: 60_000 } } });
      expect(values(results)).toHaveLength(4);
      expect(await titles()).toHaveLength(4);
    });

    test('[SC45] a post that is refused takes nothing from those that come after it', async () => {
      const talk = await make('messages');
      const say = (content: string) => postMessage(own.ctx, ada, { channel_id: talk, content });
      const [gone, kept] = [await say('Gone'), await say('Kept')];
      await changeChannel(own.ctx, ada, { id: channel, slow_mode_seconds: 60 });
      const sourceOf = ({ id }: ChannelMessage) => ({ from_message: { channel_id: talk, id } });
      const [, bob, cat, dan] = people as [Account, Account, Account, Account];
      const { results } = await writeTogether(
        own.ctx.database,
        [
          // Callers take turns.
          verbOf(bob, sourceOf(gone)),
          verbOf(cat, { title: 'Of cat' }),
          verbOf(dan, sourceOf(gone)),
          verbOf(bob, { title: 'Of bob' }),
          verbOf(cat, sourceOf(kept)),
          verbOf(dan, { ...sourceOf(kept), title: 'Of dan' }),
        ],
        {
          between: async () => {
            await deleteChannelMessage(own.ctx, ada, { channel_id: talk, id: gone.id });
          },
        },
      );
      expect(results).toMatchObject([
        { reason: { data: { field_name: 'from_message' } } },
        { value: { title: 'Of cat' } },
        { reason: { data: { field_name: 'from_message' } } },
        { value: { title: 'Of bob' } },
        { reason: { data: { retry_after: 60_000 } } },
        { value: { title: 'Of dan', ...sourceOf(kept) } },
      ]);
      expect(await titles()).toEqual(['Of cat', 'Of bob', 'Of dan']);
    });

    test('[SC32] a post of somebody who leaves meanwhile is refused, and the others are written', async () => {
      const [, bob] = people as [Account, Account];
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => verbOf(person)),
        {
          between: async () => {
            await leaveCommunity(own.ctx, bob, { community_id: garden });
          },
        },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(results.map(({ status }) => status)).toEqual(
        NAMES.map((_, at) => (at === 1 ? 'rejected' : 'fulfilled')),
      );
      expect(results[1]).toMatchObject({ reason: { data: { code: 'not_member' } } });
      expect(await titles()).toEqual(values(results).map(({ title }) => title));
      expect(await eventsIn(channel)).toBe(4);
    });

    test('[SC32][PO10] posts that wait while their channel is changed are written as it is then', async () => {
      const { tags = [] } = await changeChannel(own.ctx, ada, {
        id: channel,
        tags: [{ name: 'old' }],
      });
      const tag_ids = tags.map(({ id }) => id);
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) => verbOf(person, at === 1 ? { tag_ids } : {})),
        {
          between: async () => {
            await changeChannel(own.ctx, ada, { id: channel, tags: [] });
          },
        },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(results[1]).toMatchObject({ reason: { data: { field_name: 'tag_ids' } } });
      expect(await titles()).toEqual(values(results).map(({ title }) => title));
      expect(values(results)).toHaveLength(4);
    });

    test('[PO19] the first one of two posts with the same file in one transaction has it', async () => {
      const [, bob] = people as [Account, Account];
      const sealed = await sealContent(own.ctx, 'a file of two posts');
      const file = { bucket: 'attachments', name: 'a.txt', spoiler: false, sealed };
      const attachments = [{ id: (await createUpload(own.ctx, bob, file)).id as Id }];
      const { results } = await writeTogether(own.ctx.database, [
        verbOf(ada),
        verbOf(bob, { attachments }),
        verbOf(bob, { attachments }),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(results[1]).toMatchObject({ value: { attachments: [{ name: 'a.txt' }] } });
      expect(results[2]).toMatchObject({ reason: { data: { field_name: 'attachments' } } });
    });

    test('[PO16][PO17][SC45] posts that are shown in another channel are written together, and a message becomes one of them', async () => {
      const talk = await make('messages');
      await changeChannel(own.ctx, ada, { id: channel, card_channel_ids: [talk] });
      const message = await postMessage(own.ctx, ada, { channel_id: talk, content: 'How?' });
      const from_message = { channel_id: talk, id: message.id };
      const before = await eventsIn(talk);
      await own.emitted();
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) => verbOf(person, at === 1 || at === 3 ? { from_message } : {})),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(results[3]).toMatchObject({
        reason: { data: { code: 'taken', field_name: 'from_message' } },
      });
      const posts = values(results);
      expect(posts).toHaveLength(4);
      const all = await listChannelMessages(own.ctx, ada, { channel_id: talk, limit: 10 });
      const cards = all.toReversed().filter(({ kind }) => kind === 'post');
      expect(cards.map((card: ChannelMessage) => card.post_id)).toEqual(posts.map(({ id }) => id));
      expect(await eventsIn(talk)).toBe(before + posts.length + 1);
      const sent = (await own.emitted()).flatMap(({ event }) => event ?? []);
      expect(sent.filter(({ op }) => op === 'MESSAGE_CREATE').map(({ d }) => d)).toMatchObject(
        cards.map(({ id }) => ({ id })),
      );
      expect(sent.filter(({ op }) => op === 'MESSAGE_UPDATE').map(({ d }) => d)).toMatchObject([
        { id: message.id, post_id: posts[1]?.id },
      ]);
    });

    test('[PO17][SC32] posts whose cards have no channel any more are written without them', async () => {
      const talk = await make('messages');
      await changeChannel(own.ctx, ada, { id: channel, card_channel_ids: [talk] });
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => verbOf(person)),
        {
          between: async () => {
            await changeChannel(own.ctx, ada, { id: channel, card_channel_ids: [] });
          },
        },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 5]);
      expect(values(results)).toHaveLength(5);
      expect(await listChannelMessages(own.ctx, ada, { channel_id: talk, limit: 10 })).toEqual([]);
      expect(await eventsIn(talk)).toBe(0);
    });

    test('[SC32] a post whose statement fails is refused, and the others are written', async () => {
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) => verbOf(person, at === 1 ? { title: 'fails' } : {})),
        { around: (tx) => failingAt(tx, 'fails') },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 1, 1, 1, 1, 1]);
      expect(results.map(({ status }) => status)).toEqual(
        NAMES.map((_, at) => (at === 1 ? 'rejected' : 'fulfilled')),
      );
      expect(await titles()).toEqual(values(results).map(({ title }) => title));
      expect(await eventsIn(channel)).toBe(4);
    });

    if (engine === 'postgres') {
      test('[SC32] if it is not known whether posts were committed, all are refused, and repetitions find them', async () => {
        const { address } = own.database;
        if (address.engine !== 'postgres') throw new Error('another engine');
        await using relay = await startPostgresRelay(Number(new URL(address.url).port));
        await using relayed = await postgresDatabase(relay.through(address.url), { log });
        const database = ownerOutbox(relayed);
        const ctx = { ...own.ctx, database };
        const nonce = { nonce: 'again' };
        const verbs = people.map((person) => verbOf(person, nonce));
        const { results, attempts } = await writeTogether(database, verbs, {
          between: async () => relay.holdAt('commit\0', 'after'),
        });
        expect(attempts.map((calls) => calls.length)).toEqual([5]);
        expect(results.map(({ status }) => status)).toEqual(NAMES.map(() => 'rejected'));
        relay.restore();
        const again = await Promise.all(people.map((person) => post(ctx, person, nonce)));
        expect((await titles()).toSorted()).toEqual(again.map(({ title }) => title).toSorted());
        expect(await eventsIn(channel)).toBe(NAMES.length);
      });
    }

    test.each(['written', 'committed'] as const)(
      '[SC32][PO3] if a process is killed when posts are %s, repetitions with the same nonces post each of them once',
      async (stopsAt) => {
        const { address } = own.database;
        const order = { address, place: channel, people, stopsAt } as const;
        await using killed = writingProcess({ ...order, verb: 'post' });
        expect(await killed.says()).toBe(stopsAt);
        await killed.kill();
        expect(await titles()).toHaveLength(stopsAt === 'written' ? 0 : NAMES.length);
        const again = await Promise.all(
          people.map((person) => post(own.ctx, person, { nonce: WRITTEN_NONCE })),
        );
        expect(again.map(({ title }) => title as string)).toEqual(
          people.map(({ user_id: id }) => id),
        );
        expect((await titles()).toSorted()).toEqual(people.map(({ user_id: id }) => id).toSorted());
        expect(await eventsIn(channel)).toBe(NAMES.length);
      },
    );

    test('[SC32] a post that waits is counted with its title and its address', async () => {
      const bytes: number[] = [];
      const database: EmittingDatabase = {
        ...own.ctx.database,
        write(work, call, writing) {
          bytes.push(writing.bytes ?? 0);
          return own.ctx.database.write(work, call, writing);
        },
      };
      const ctx = { ...own.ctx, database };
      await post(ctx, ada, { title: 'a' });
      await post(ctx, ada, { title: 'a'.repeat(101) });
      await post(ctx, ada, { title: 'a', url: 'https://a.example/' });
      const [least = 0, ...more] = bytes;
      expect(more).toEqual([least + 200, least + 36]);
    });

    test('[SC32][PO3] a nonce that has posted meanwhile costs the others no second attempt', async () => {
      let first: Post | undefined;
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => verbOf(person, { nonce: 'one' })),
        {
          between: async () => {
            first = await post(own.ctx, ada, { title: 'first', nonce: 'one' });
          },
        },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([NAMES.length]);
      expect(values(results)[0]?.id).toBe(first?.id);
      expect(await titles()).toEqual(['first', ...people.slice(1).map(({ user_id: id }) => id)]);
      expect(await eventsIn(channel)).toBe(NAMES.length);
    });

    test('[PO1] a post with an id from before the newest one of its channel gets a greater one, which its nonce creates', async () => {
      const drawn = await own.ctx.ids.next();
      const newest = await post(own.ctx, ada);
      const late = { ...own.ctx, ids: { ...own.ctx.ids, next: async () => drawn } };
      const written = await post(late, ada, { title: 'late', nonce: 'late' });
      expect(BigInt(written.id) > BigInt(newest.id)).toBe(true);
      expect((await post(own.ctx, ada, { title: 'late', nonce: 'late' })).id).toBe(written.id);
      expect(await titles()).toEqual([ada.user_id, 'late']);
    });

    test('[PO1] a post in a channel that changes each time is tried five times', async () => {
      let tries = 0;
      const database: EmittingDatabase = {
        ...own.ctx.database,
        async write(work, call, writing) {
          tries += 1;
          await changeChannel(own.ctx, ada, { id: channel, topic: `Try ${tries}` });
          return await own.ctx.database.write(work, call, writing);
        },
      };
      expect(await failureOf(post({ ...own.ctx, database }, ada))).toMatchObject({ status: 500 });
      expect(tries).toBe(5);
      expect(await titles()).toEqual([]);
    });
  });
});
