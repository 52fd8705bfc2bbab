import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { CompiledQuery } from 'kysely';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { EmittingDatabase, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { joinCommunity } from '../members/join-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { createPost } from '../../forum/posts/create-post.ts';

const PEOPLE = 40;

onEachDatabase((open) => {
  describe('many people at one place', () => {
    let own: CommunityTest;
    let ada: Account;
    let people: readonly Account[];
    let ctx: InstanceContext;
    let channel: Id;
    let post: Id;
    const statements: string[] = [];

    const note = async ({ sql }: CompiledQuery) => void statements.push(sql);
    const noting = <Db extends Reader>(db: Db) => readerBefore(db, note) as Db;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      const garden = await own.garden(ada, { visibility: 'public' });
      const names = Array.from({ length: PEOPLE }, (_, at) => `person-${at}`);
      people = await Promise.all(names.map((name) => own.person(name)));
      for (const person of people)
        await joinCommunity(own.ctx, person, { community_id: garden.id });
      const given = { community_id: garden.id, name: 'news' } as const;
      const posts = await createChannel(own.ctx, ada, { ...given, kind: 'posts' });
      ({ id: channel } = await createChannel(own.ctx, ada, { ...given, kind: 'messages' }));
      ({ id: post } = await createPost(own.ctx, ada, { channel_id: posts.id, title: 'Basil' }));
      const database = { ...own.ctx.database, reader: noting(own.ctx.database.reader) };
      ctx = { ...own.ctx, database, ...own.stateOn(database) };
    });
    afterAll(() => own[Symbol.asyncDispose]());
    // Everyone has been there before.
    beforeEach(async () => {
      own.clock.advance(60_000);
      for (const person of people) await comment(person);
      statements.splice(0);
    });

    const comment = (person: Account) =>
      createComment(ctx, person, { post_id: post, content: person.user_id });
    const say = (person: Account, database: EmittingDatabase) =>
      postMessage({ ...ctx, database }, person, { channel_id: channel, content: person.user_id });
    const naming = (text: string) => statements.filter((sql) => sql.includes(text));
    let seconds = 0;
    const slowDown = async () => {
      seconds += 1;
      await changeChannel(ctx, ada, { id: channel, slow_mode_seconds: seconds });
      statements.splice(0);
    };

    test('[SC38] a community that was changed is read once for all who come then', async () => {
      await slowDown();
      await Promise.all(people.map(comment));
      expect(naming('channel_overwrites').length).toBeLessThanOrEqual(2);
      expect(naming('left join communities')).toEqual([]);
    });

    test('[SC38] people who come at once and of whom nothing is remembered are read together', async () => {
      const { database } = ctx;
      const fresh = { ...ctx, ...own.stateOn(database) };
      await Promise.all(
        people.map((person) => postMessage(fresh, person, { channel_id: channel, content: 'Hi' })),
      );
      for (const text of ['left join communities', 'left join "member_roles"', 'from "users"']) {
        expect(naming(text).length).toBeGreaterThan(0);
        expect(naming(text).length).toBeLessThanOrEqual(PEOPLE / 2);
      }
    });

    test('[SC38] a post is read twice for all who comment on it at the same time, and its author not at all', async () => {
      await Promise.all(people.map(comment));
      expect(naming('from posts where')).toHaveLength(2);
      expect(naming('"members"')).toEqual([]);
    });

    test('[SC38] replies read neither their authors nor those to whom they reply', async () => {
      const { database } = ctx;
      const messages = await Promise.all(people.map((person) => say(person, database)));
      statements.splice(0);
      const answers = messages.map(({ id: reply_to }) =>
        postMessage(ctx, ada, { channel_id: channel, content: 'Yes', reply_to }),
      );
      await Promise.all(answers);
      expect(naming('members')).toEqual([]);
      expect(naming('member_roles')).toEqual([]);
    });

    test('[SC38] messages that wait while their channel is changed are written with what their authors may do then', async () => {
      const around = (tx: EmittingTransaction): EmittingTransaction => ({
        ...tx,
        sql: noting<Writer>(tx.sql),
      });
      const { results, attempts } = await writeTogether(
        ctx.database,
        people.map((person) => (database) => say(person, database)),
        { between: slowDown, around },
      );
      expect(results.map(({ status }) => status)).toEqual(people.map(() => 'fulfilled'));
      expect(attempts.map((calls) => calls.length)).toEqual([PEOPLE, PEOPLE]);
      expect(naming('channel_overwrites')).toHaveLength(1);
      expect(naming('"members"')).toHaveLength(1);
    });
  });
});
