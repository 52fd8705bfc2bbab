import type { Comment, Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { WRITTEN_NONCE, writingProcess } from '@hearth/testing/instances/writing-process';
import { holdingDatabase } from '@hearth/testing/ports/holding-database';
import { failingAt } from '@hearth/testing/ports/failing-statement';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { startPostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { postgresDatabase } from '../../../engines/databases.ts';
import { ownerOutbox, type EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { voteComment } from '../voting/cast-vote.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { listComments } from './list-comments.ts';

const NAMES = ['ada', 'bob', 'cat', 'dan', 'eve'];
const log = jsonLogger('silent', () => {});
const ALL = { sort: 'old', depth: 1, limit: 100 } as const;

onEachDatabase((open, engine) => {
  describe('comments in one transaction', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let ada: Account;
    let post: StoredPlace;
    let signals: Signal[] = [];
    let posts = 0n;

    beforeAll(async () => {
      own = await communityTest(open);
      people = await Promise.all(NAMES.map((name) => own.person(name)));
      [ada] = people as [Account, ...Account[]];
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const given = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      const channel = await createChannel(own.ctx, ada, given);
      post = {
        id: '1' as Id,
        channelId: channel.id,
        communityId: garden.id,
        userId: ada.user_id,
        createdAtMs: own.clock.unixMs(),
      };
      own.ctx.signals.listen((signal) => signals.push(signal));
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      posts += 1n;
      post = { ...post, id: String(900_000_000_000n + posts) as Id };
      await storePost(own.database, post);
      signals = [];
    });

    interface Given {
      readonly content?: string;
      readonly parent_id?: Id;
      readonly nonce?: string;
    }

    const write = (ctx: InstanceContext, person: Account, given: Given = {}) =>
      createComment(ctx, person, { post_id: post.id, content: person.user_id, ...given });

    const verbOf = (person: Account, given?: Given) => (database: EmittingDatabase) =>
      write({ ...own.ctx, database }, person, given);

    const contents = async () => {
      const { entries } = await listComments(own.ctx, ada, { post_id: post.id, ...ALL });
      return entries.map(({ content }) => content);
    };

    const values = (results: readonly PromiseSettledResult<Comment>[]) =>
      results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));

    const numberIn = async (column: 'comment_count' | 'comment_number') => {
      const row = await own.database.reader
        .selectFrom('posts')
        .select(['comment_count', 'comment_number'])
        .where('id', '=', post.id)
        .executeTakeFirst();
      return Number(row?.[column]);
    };

    test('[CT21][CT21a] comments that come at once are stored and sent in one order', async () => {
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => verbOf(person)),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([NAMES.length]);
      const ids = values(results).map(({ id }) => id);
      expect(ids).toHaveLength(NAMES.length);
      const { entries } = await listComments(own.ctx, ada, { post_id: post.id, ...ALL });
      expect(entries.map(({ id }) => id)).toEqual(ids);
      expect(ids.map(BigInt)).toEqual(
        ids.map(BigInt).toSorted((one, other) => (one < other ? -1 : 1)),
      );
      expect(signals.map(({ d }) => d)).toMatchObject(
        ids.map((id, at) => ({
          number: at + 1,
          event: { op: 'COMMENT_CREATE', d: { id, comment_count: at + 1 } },
        })),
      );
    });

    test('[SC32] one that replies to a comment that is deleted meanwhile is refused, and the others are written', async () => {
      const parent = await write(own.ctx, ada, { content: 'parent' });
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) => verbOf(person, at === 2 ? { parent_id: parent.id } : {})),
        {
          between: async () => {
            await deleteComment(own.ctx, ada, parent);
          },
        },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(results.map(({ status }) => status)).toEqual(
        NAMES.map((_, at) => (at === 2 ? 'rejected' : 'fulfilled')),
      );
      expect(results[2]).toMatchObject({ reason: { data: { field_name: 'parent_id' } } });
      expect(await contents()).toEqual(values(results).map(({ content }) => content));
      expect(await numberIn('comment_count')).toBe(4);
    });

    test('[SC47] a reply waits for what votes for its comment without a connection', async () => {
      const parent = await write(own.ctx, ada, { content: 'parent' });
      const [, bob, cat] = people as [Account, Account, Account];
      const held = holdingDatabase(own.ctx.database);
      const ctx = { ...own.ctx, database: held.database };
      const voting = voteComment(ctx, bob, { id: parent.id, value: 1 });
      await held.hasBegun;
      const replying = write(ctx, cat, { parent_id: parent.id });
      await held.queued(2);
      expect(held.begun()).toBe(1);
      held.letGo();
      expect(await voting).toMatchObject({ upvotes: 1 });
      expect(await replying).toMatchObject({ parent_id: parent.id });
    });

    test('[SC32] one whose statement fails is refused, and the others are written', async () => {
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person, at) => verbOf(person, at === 1 ? { content: 'fails' } : {})),
        { around: (tx) => failingAt(tx, 'fails') },
      );
      expect(attempts.map((calls) => calls.length)).toEqual([5, 1, 1, 1, 1, 1]);
      expect(results.map(({ status }) => status)).toEqual(
        NAMES.map((_, at) => (at === 1 ? 'rejected' : 'fulfilled')),
      );
      expect(await contents()).toEqual(values(results).map(({ content }) => content));
      expect(await numberIn('comment_number')).toBe(4);
    });

    if (engine === 'postgres') {
      test('[SC32] if it is not known whether comments were committed, all are refused, and repetitions find them', async () => {
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
        const again = await Promise.all(people.map((person) => write(ctx, person, nonce)));
        expect((await contents()).toSorted()).toEqual(
          again.map(({ content }) => content).toSorted(),
        );
        expect(await numberIn('comment_number')).toBe(NAMES.length);
      });
    }

    test.each(['written', 'committed'] as const)(
      '[SC32] if a process is killed when comments are %s, repetitions with the same nonces write each of them once',
      async (stopsAt) => {
        const { address } = own.database;
        const order = { address, place: post.id, people, stopsAt } as const;
        await using killed = writingProcess({ ...order, verb: 'comment' });
        expect(await killed.says()).toBe(stopsAt);
        await killed.kill();
        const before = await contents();
        expect(before).toHaveLength(stopsAt === 'written' ? 0 : NAMES.length);
        const again = await Promise.all(
          people.map((person) => write(own.ctx, person, { nonce: WRITTEN_NONCE })),
        );
        expect(again.map(({ content }) => content as string)).toEqual(
          people.map(({ user_id: id }) => id),
        );
        expect(await numberIn('comment_number')).toBe(NAMES.length);
        expect(await contents()).toHaveLength(NAMES.length);
      },
    );

    test('[SC32] a nonce that has written before costs the others no second attempt', async () => {
      const first = await write(own.ctx, ada, { content: 'first', nonce: 'one' });
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => verbOf(person, { nonce: 'one' })),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([NAMES.length]);
      const [again, ...others] = values(results);
      expect(again?.id).toBe(first.id);
      expect(others).toHaveLength(NAMES.length - 1);
      const repeated = await Promise.all(
        people.map((person) => write(own.ctx, person, { nonce: 'one' })),
      );
      expect(repeated.map(({ id }) => id)).toEqual(values(results).map(({ id }) => id));
      expect(await numberIn('comment_number')).toBe(NAMES.length);
    });

    test('[CT21] a comment with an id from before the newest one on its post gets a greater one, which its nonce creates', async () => {
      const drawn = await own.ctx.ids.next();
      const newest = await write(own.ctx, ada);
      const late = { ...own.ctx, ids: { ...own.ctx.ids, next: async () => drawn } };
      const written = await write(late, ada, { content: 'late', nonce: 'late' });
      expect(BigInt(written.id) > BigInt(newest.id)).toBe(true);
      expect((await write(own.ctx, ada, { content: 'late', nonce: 'late' })).id).toBe(written.id);
      expect(await contents()).toEqual([ada.user_id, 'late']);
    });

    test('[CT21][SC27] a comment is not written before the one that it follows, unless the clock was set back', async () => {
      const start = own.clock.unixMs();
      const writeAt = async (ms: number) => {
        own.clock.setUnixMs(start + ms);
        return (await write(own.ctx, ada)).created_at - start;
      };
      const moments: number[] = [];
      for (const ms of [5_000, 4_200, 4_500, 5_100, 3_000]) moments.push(await writeAt(ms));
      own.clock.setUnixMs(start);
      expect(moments).toEqual([5_000, 5_000, 5_000, 5_100, 3_000]);
    });

    test('[CT4] a comment in a channel that changes each time is tried five times', async () => {
      const changing = (): EmittingDatabase => ({
        ...own.ctx.database,
        async write(work, call, writing) {
          await own.database.transaction(async ({ sql }) => {
            await sql
              .updateTable('communities')
              .set((row) => ({ structure_version: row('structure_version', '+', 1) }))
              .where('id', '=', post.communityId)
              .execute();
            await sql
              .updateTable('turns')
              .set((row) => ({ version: row('version', '+', 1) }))
              .where('id', '=', post.channelId)
              .execute();
          });
          return await own.ctx.database.write(work, call, writing);
        },
      });
      const refused = failureOf(write({ ...own.ctx, database: changing() }, ada));
      expect(await refused).toMatchObject({ status: 500 });
      expect(await contents()).toEqual([]);
    });
  });
});
