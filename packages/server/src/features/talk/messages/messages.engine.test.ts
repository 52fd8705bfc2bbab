import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ValidationError,
  type ChannelKind,
  type Id,
  type NewChannelMessage,
  type OwnCommunity,
  type Permission,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { CHEAP_PASSWORDS } from '@hearth/testing/instances/cheap-passwords';
import { endedOrWaiting } from '@hearth/testing/lock-waits';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, type Actor, type Account } from '../../../actor.ts';
import { ownerOutbox, withQueues, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { listAuditLog } from '../../communities/audit-log/list-audit-log.ts';
import { liftBan, setBan } from '../../communities/bans/set-ban.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { deleteCommunity } from '../../communities/communities/delete-community.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity, removeMember } from '../../communities/members/leave-community.ts';
import { changeRole } from '../../communities/roles/change-role.ts';
import { createRole } from '../../communities/roles/create-role.ts';
import { showTyping } from '../typing/show-typing.ts';
import { Passwords } from '../../accounts/users/passwords.ts';
import { changeChannelMessage } from './change-message.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { findChannelMessage, listChannelMessages, type MessagesQuery } from './list-messages.ts';
import { listMessageVersions } from './list-versions.ts';
import { postMessage } from './post-message.ts';

const PASSWORD = 'correct horse battery staple';

interface Entry {
  readonly stream: string;
  readonly subject: string;
  readonly number: number;
  readonly event: { readonly op: string; readonly d: Readonly<Record<string, unknown>> };
}

onEachDatabase((open) => {
  describe('messages of channels', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let general: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      const [first] = garden.channels;
      if (first === undefined) throw new Error('there is no first channel');
      general = first.id;
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      await emitted();
    });

    /** Returns what was emitted since the last call about channels, in the order of each. */
    const emitted = async (): Promise<readonly Entry[]> => {
      const rows = await own.database.reader
        .selectFrom('outbox')
        .selectAll()
        .orderBy('subject')
        .orderBy('number')
        .execute();
      await own.database.transaction(({ sql }) => sql.deleteFrom('outbox').execute());
      return rows
        .filter(({ subject }) => /^\d+$/.test(subject))
        .map(({ entry, number, ...row }) => ({
          ...row,
          number: Number(number),
          ...JSON.parse(entry),
        }));
    };
    const input = (content: string, rest: Partial<NewChannelMessage> = {}) => ({
      channel_id: general,
      content,
      ...rest,
    });
    /** Deletes the garden, whose owner knows the password. */
    const removeCommunity = async () => {
      const ctx = { ...own.ctx, passwords: new Passwords(CHEAP_PASSWORDS) };
      const hash = await ctx.passwords.hash(PASSWORD);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('users').set({ password_hash: hash }).execute(),
      );
      const { id, slug } = garden;
      await deleteCommunity(ctx, ada, { id, slug, current_password: PASSWORD });
    };
    const post = (actor: Account, content: string, rest: Partial<NewChannelMessage> = {}) =>
      postMessage(own.ctx, actor, input(content, rest));
    const list = (query: Partial<MessagesQuery> = {}, actor: Actor = ada) =>
      listChannelMessages(own.ctx, actor, { channel_id: general, limit: 100, ...query });
    const contents = async (query: Partial<MessagesQuery> = {}) =>
      (await list(query)).map(({ content }) => content);
    const channel = (kind: ChannelKind) =>
      createChannel(own.ctx, ada, { community_id: garden.id, kind, name: kind });
    const allow = async (person: Account, permissions: readonly Permission[]) => {
      const { id } = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name: 'role',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: [...permissions],
      });
      const place = { community_id: garden.id, user_id: person.user_id };
      await changeMember(own.ctx, ada, { ...place, role_ids: [id] });
    };
    const hide = (subject_id: Id = garden.id) =>
      setOverwrite(own.ctx, ada, {
        id: general,
        subject_id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });

    test('[CM1] a message is stored and sent in the stream of the community, with the next number of its channel', async () => {
      const first = await post(bob, 'Hello', { nonce: 'n' });
      expect<unknown>(first).toEqual({
        id: first.id,
        channel_id: general,
        author: 'bob',
        content: 'Hello',
        user: { id: bob.user_id, username: 'bob' },
        created_at: own.clock.unixMs(),
        version: 1,
      });
      expect(await list()).toEqual([first]);
      const second = await post(ada, '');
      expect(await emitted()).toEqual([
        {
          stream: `c:${garden.id}`,
          subject: general,
          number: 1,
          event: { op: 'MESSAGE_CREATE', d: { ...first, nonce: 'n' } },
        },
        expect.objectContaining({ number: 2, event: { op: 'MESSAGE_CREATE', d: second } }),
      ]);
      const turns = await own.database.reader
        .selectFrom('turns')
        .select('last_id')
        .where('id', '=', general)
        .execute();
      expect(turns).toEqual([{ last_id: second.id }]);
    });

    test('[CM1] a message of a restricted channel is sent in the stream of the channel only', async () => {
      await hide();
      await emitted();
      const message = await post(ada, 'Quiet');
      expect(await emitted()).toMatchObject([
        { stream: `r:${general}`, event: { d: { id: message.id } } },
      ]);
    });

    test('[CM1] what this process remembers of a channel decides nothing: a message goes where others have moved it', async () => {
      await using elsewhere = await own.another({ isDeaf: true });
      await postMessage(elsewhere, bob, input('Before'));
      const everyone = { id: general, subject_id: garden.id, kind: 'role' } as const;
      const role = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name: 'seers',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: ['VIEW', 'SEND_MESSAGES'],
      });
      await changeMember(own.ctx, ada, {
        community_id: garden.id,
        user_id: bob.user_id,
        role_ids: [role.id],
      });
      await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['VIEW'] });
      await setOverwrite(own.ctx, ada, {
        ...everyone,
        subject_id: role.id,
        allow: ['VIEW'],
        deny: [],
      });
      await emitted();
      const hidden = await postMessage(elsewhere, bob, input('Hidden'));
      const place = { channel_id: general, id: hidden.id };
      await changeChannelMessage(elsewhere, bob, { ...place, content: 'Still hidden' });

      expect(await emitted()).toMatchObject([
        { stream: `r:${general}`, event: { op: 'MESSAGE_CREATE' } },
        { stream: `r:${general}`, event: { op: 'MESSAGE_UPDATE' } },
      ]);
      await setOverwrite(own.ctx, ada, { ...everyone, subject_id: role.id, allow: [], deny: [] });
      const late = postMessage(elsewhere, bob, input('Too late'));
      expect(await failureOf(late)).toEqual(new NotFoundError());
      const edit = changeChannelMessage(elsewhere, bob, { ...place, content: 'Too late' });
      expect(await failureOf(edit)).toEqual(new NotFoundError());
      expect(await contents()).toEqual(['Still hidden', 'Before']);
    });

    test('[CM2] the id of a message is greater than that of every earlier one, whatever its process draws', async () => {
      const early = await own.ctx.ids.next();
      const first = await post(ada, 'One');
      const drawn = [early, '5' as Id];
      const slow = {
        ...own.ctx,
        ids: {
          ...own.ctx.ids,
          next: async () => drawn.pop() ?? early,
          afterNow: () => undefined,
          after: (id: Id) => own.ctx.ids.after(id),
        },
      };
      const second = await postMessage(slow, bob, input('Two'));
      drawn.push(early);
      const nonced = input('Three', { nonce: 'n' });
      const quick = {
        ...slow,
        ids: { ...slow.ids, afterNow: (id: Id) => own.ctx.ids.afterNow(id) },
      };
      const third = await postMessage(quick, bob, nonced);
      expect(await postMessage(quick, bob, nonced)).toEqual(third);
      expect(BigInt(second.id) > BigInt(first.id) && BigInt(third.id) > BigInt(second.id)).toBe(
        true,
      );
      expect(await contents({ after: first.id })).toEqual(['Three', 'Two']);
      expect((await emitted()).map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    test('[CM2][CM2a] a message with an id that is too low waits for the channel once, and gets a greater one there', async () => {
      const low = await own.ctx.ids.next();
      const newest = await post(ada, 'One');
      const trial = trialDatabase(own.database);
      const ctx = {
        ...own.ctx,
        database: ownerOutbox(trial),
        ids: { ...own.ctx.ids, next: async () => low },
      };
      trial.takeQueries();
      const raised = await postMessage(ctx, bob, input('Two'));
      expect(BigInt(raised.id) > BigInt(newest.id)).toBe(true);
      const queries = trial.takeQueries().map((text) => text.replaceAll(/\s+/g, ' '));
      // The first statement locks the row, the other one writes in it, and what the process knows of the channel is still true.
      expect(queries.filter((text) => text.startsWith('update turns set'))).toEqual([
        expect.stringContaining('set number = number + taken'),
        expect.stringContaining('set last_id = $1'),
      ]);
      expect(queries.filter((text) => text.includes('from "communities"'))).toEqual([]);
    });

    test('[CM3] the same nonce of one person posts once in a channel, however often and at once it is sent', async () => {
      await using other = await own.anotherServer();
      const posts = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          postMessage(i % 2 === 0 ? own.ctx : other, bob, input(`Hello ${i}`, { nonce: 'one' })),
        ),
      );
      expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
      expect((await emitted()).map(({ number }) => number)).toEqual([1]);
      await post(ada, 'Mine', { nonce: 'one' });
      await post(bob, 'No nonce', { nonce: '' });
      await post(bob, 'No nonce', { nonce: '' });
      expect(await list()).toHaveLength(4);
      const [first] = posts;
      if (first === undefined) throw new Error('nothing was posted');
      const place = { channel_id: general, id: first.id };
      await changeChannelMessage(own.ctx, bob, { ...place, content: 'Changed' });
      expect((await post(bob, 'Hello', { nonce: 'one' })).content).toBe('Changed');
      await deleteChannelMessage(own.ctx, bob, place);
      expect(await failureOf(post(bob, 'Hello', { nonce: 'one' }))).toEqual(new NotFoundError());
      own.clock.advance(600_000);
      expect((await post(bob, 'Later', { nonce: 'one' })).content).toBe('Later');
    });

    test('[CM4] pages of messages before, after and around a place are the newest first', async () => {
      for (const content of ['1', '2', '3', '4', '5']) await post(bob, content);
      const ids = (await list()).map(({ id }) => id).toReversed();
      const [, second, third] = ids;
      expect(await contents({ limit: 2 })).toEqual(['5', '4']);
      expect(await contents({ before: third, limit: 1 })).toEqual(['2']);
      expect(await contents({ after: second, limit: 2 })).toEqual(['4', '3']);
      expect(await contents({ after: second, before: ids[4] })).toEqual(['4', '3']);
      expect(await contents({ around: third, limit: 3 })).toEqual(['4', '3', '2']);
      expect(
        await contents({ before: '340282366920938463463374607431768211455' as Id }),
      ).toHaveLength(5);
      expect(await contents({ after: '0' as Id, limit: 1 })).toEqual(['1']);
      await deleteChannelMessage(own.ctx, bob, { channel_id: general, id: third as Id });
      expect(await contents({ around: third, limit: 2 })).toEqual(['4', '2']);
    });

    test('[CM5] a channel that somebody does not see, one that does not exist, and the messages of another one are not there', async () => {
      const { id } = await post(ada, 'Hidden');
      await hide();
      const other = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'messages',
        name: 'other',
      });
      for (const [actor, channel_id] of [
        [bob, general],
        [eve, general],
        [ada, '1' as Id],
        [ada, other.id],
      ] as const) {
        const place = { channel_id, id };
        const tries = [
          findChannelMessage(own.ctx, actor, place),
          changeChannelMessage(own.ctx, actor, { ...place, content: 'x' }),
          deleteChannelMessage(own.ctx, actor, place),
          listMessageVersions(own.ctx, actor, { ...place, limit: 50 }),
          ...(channel_id === other.id
            ? []
            : [
                listChannelMessages(own.ctx, actor, { channel_id, limit: 50 }),
                postMessage(own.ctx, actor, { channel_id, content: 'x' }),
              ]),
        ];
        const failures = await Promise.all(tries.map((each) => failureOf(each)));
        expect(failures).toEqual(tries.map(() => new NotFoundError()));
      }
      const far = postMessage(own.ctx, ada, { channel_id: other.id, content: 'x', reply_to: id });
      expect(await failureOf(far)).toMatchObject({ data: { field_name: 'reply_to' } });
    });

    test('[CM6] members with SEND_MESSAGES post, in announcements only those with MANAGE_CONTENT too, and nowhere without messages', async () => {
      expect(await failureOf(post(eve, 'x'))).toEqual(new ForbiddenError({ code: 'not_member' }));
      expect(await list({}, ANYONE)).toEqual([]);
      const news = await channel('announcements');
      const announce = (actor: Account) =>
        postMessage(own.ctx, actor, { channel_id: news.id, content: 'News' });
      expect(await failureOf(announce(bob))).toMatchObject({
        data: { permission: 'MANAGE_CONTENT' },
      });
      // Nor are they shown as writing.
      const typing = () => failureOf(showTyping(own.ctx, bob, { channel_id: news.id }));
      expect(await typing()).toMatchObject({ data: { permission: 'MANAGE_CONTENT' } });
      await allow(bob, ['MANAGE_CONTENT']);
      expect((await announce(bob)).content).toBe('News');
      expect(await typing()).toBeUndefined();
      for (const kind of ['category', 'posts'] as const) {
        const { id } = await channel(kind);
        const wrong = [
          postMessage(own.ctx, ada, { channel_id: id, content: 'x' }),
          listChannelMessages(own.ctx, ada, { channel_id: id, limit: 50 }),
        ];
        for (const error of await Promise.all(wrong.map((each) => failureOf(each)))) {
          expect(error).toBeInstanceOf(ValidationError);
          expect(error).toMatchObject({ data: { field_name: 'kind' } });
        }
      }
      const everyone = { id: general, subject_id: garden.id, kind: 'role' } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['SEND_MESSAGES'] });
      expect(await failureOf(post(bob, 'x'))).toMatchObject({
        data: { permission: 'SEND_MESSAGES' },
      });
    });

    test('[CM6] who may write no more because of a category or of the everyone role writes nothing afterwards, whatever a process remembers', async () => {
      const category = await channel('category');
      const roses = { kind: 'messages', name: 'roses', category_id: category.id } as const;
      const { id } = await createChannel(own.ctx, ada, { community_id: garden.id, ...roses });
      const everyone = { id: category.id, subject_id: garden.id, kind: 'role' } as const;
      const role = { community_id: garden.id, role_id: garden.id };
      const acts = [
        () => setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['SEND_MESSAGES'] }),
        () => changeRole(own.ctx, ada, { ...role, permissions: ['VIEW'] }),
      ];
      for (const act of acts) {
        await using elsewhere = await own.another({ isDeaf: true });
        await postMessage(elsewhere, bob, { channel_id: id, content: 'Before' });
        await emitted();
        await act();
        const late = await failureOf(
          postMessage(elsewhere, bob, { channel_id: id, content: 'After' }),
        );
        const missing = { code: 'permission_missing', permission: 'SEND_MESSAGES' } as const;
        expect(late).toEqual(new ForbiddenError(missing));
        // Clients see nothing new of the channel.
        expect((await emitted()).filter(({ subject }) => subject === id)).toEqual([]);
        await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: [] });
      }
    });

    test('[CM7] who is timed out, or has left, neither posts nor edits, and may still delete what they wrote', async () => {
      const { id } = await post(bob, 'Mine');
      const place = { channel_id: general, id };
      const until = own.clock.unixMs() + 60_000;
      const member = { community_id: garden.id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...member, timed_out_until: until });
      const refused = new ForbiddenError({ code: 'timed_out', until });
      expect(await failureOf(post(bob, 'x'))).toEqual(refused);
      const edit = () => changeChannelMessage(own.ctx, bob, { ...place, content: 'x' });
      expect(await failureOf(edit())).toEqual(refused);
      own.clock.advance(60_001);
      expect((await edit()).content).toBe('x');
      await leaveCommunity(own.ctx, bob, { community_id: garden.id });
      expect(await failureOf(edit())).toEqual(new ForbiddenError({ code: 'not_member' }));
      expect(await deleteChannelMessage(own.ctx, bob, place)).toEqual({});
      expect(await list()).toEqual([]);
    });

    test('[CM7][CM7a] who is removed, timed out or banned writes nothing afterwards, whatever a process remembers of them', async () => {
      const place = { community_id: garden.id, user_id: bob.user_id };
      const { id } = await post(bob, 'Mine');
      const until = own.clock.unixMs() + 60_000;
      const acts: readonly (readonly [() => Promise<unknown>, Error])[] = [
        [
          () => changeMember(own.ctx, ada, { ...place, timed_out_until: until }),
          new ForbiddenError({ code: 'timed_out', until }),
        ],
        [() => removeMember(own.ctx, ada, place), new ForbiddenError({ code: 'not_member' })],
        [() => setBan(own.ctx, ada, place), new ForbiddenError({ code: 'not_member' })],
        [() => removeCommunity(), new NotFoundError()],
      ];
      for (const [act, refused] of acts) {
        await liftBan(own.ctx, ada, place).catch(() => {});
        await joinCommunity(own.ctx, bob, { community_id: garden.id });
        await using elsewhere = await own.another({ isDeaf: true });
        await postMessage(elsewhere, bob, input('Before'));
        await act();
        expect(await failureOf(postMessage(elsewhere, bob, input('After')))).toEqual(refused);
        const edit = { channel_id: general, id, content: 'After' };
        expect(await failureOf(changeChannelMessage(elsewhere, bob, edit))).toEqual(refused);
        own.clock.advance(60_001);
      }
    });

    test('[CM7] somebody is removed only after what they are writing is stored', async () => {
      const removing = Promise.withResolvers<readonly string[]>();
      const { database } = own.ctx;
      const slow = {
        ...own.ctx,
        database: withQueues({
          ...database,
          transaction: <Result>(work: (tx: EmittingTransaction) => Promise<Result>) =>
            database.transaction((tx) => {
              const emitAll: typeof tx.emitAll = async (events) => {
                const place = { community_id: garden.id, user_id: bob.user_id };
                const removed = removeMember(own.ctx, ada, place).then(() => contents());
                removing.resolve(removed);
                await endedOrWaiting(own.database, removed);
                await tx.emitAll(events);
              };
              return work({ ...tx, sql: tx.sql, emitAll });
            }),
        }),
      };
      await postMessage(slow, bob, input('Last'));
      expect(await removing.promise).toEqual(['Last']);
    });

    test('[CM8] only the author changes a message, and moderators see what it said before', async () => {
      const { id } = await post(bob, 'One');
      const place = { channel_id: general, id };
      const edit = (actor: Account, content: string) =>
        changeChannelMessage(own.ctx, actor, { ...place, content });
      expect(await failureOf(edit(ada, 'x'))).toEqual(new ForbiddenError({ code: 'not_author' }));
      expect(await failureOf(edit(bob, ''))).toMatchObject({ data: { field_name: 'content' } });
      await emitted();
      own.clock.advance(5);
      const edited = await edit(bob, 'Two');
      expect(edited).toMatchObject({ content: 'Two', version: 2, edited_at: own.clock.unixMs() });
      expect(await edit(bob, 'Two')).toEqual(edited);
      await edit(bob, 'Three');
      expect(
        (await emitted()).map(({ event, number }) => [number, event.op, event.d['version']]),
      ).toEqual([
        [2, 'MESSAGE_UPDATE', 2],
        [3, 'MESSAGE_UPDATE', 3],
      ]);
      const versions = (actor: Account, before?: number) =>
        listMessageVersions(own.ctx, actor, { ...place, before, limit: 50 });
      expect(await failureOf(versions(bob))).toMatchObject({
        data: { permission: 'MANAGE_CONTENT' },
      });
      const replaced_at = own.clock.unixMs();
      expect(await versions(ada)).toEqual([
        { version: 2, content: 'Two', replaced_at },
        { version: 1, content: 'One', replaced_at },
      ]);
      expect(await versions(ada, 2)).toMatchObject([{ version: 1 }]);
      const row = { channel_id: general, message_id: id, replaced_at_ms: 0 };
      const older = Array.from({ length: 120 }, (_, at) => ({
        ...row,
        version: at - 120,
        content: '',
      }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('channel_message_versions').values(older).execute(),
      );
      await edit(bob, 'Four');
      const kept = await own.database.reader
        .selectFrom('channel_message_versions')
        .select('version')
        .where('message_id', '=', row.message_id)
        .orderBy('version', 'desc')
        .execute();
      expect([kept.length, Number(kept[0]?.version), Number(kept.at(-1)?.version)]).toEqual([
        100, 3, -97,
      ]);
    });

    test('[CM9] the author deletes a message, or a member with MANAGE_CONTENT', async () => {
      const { id } = await post(ada, 'One');
      const place = { channel_id: general, id };
      const remove = (actor: Account) => deleteChannelMessage(own.ctx, actor, place);
      expect(await failureOf(remove(bob))).toMatchObject({
        data: { permission: 'MANAGE_CONTENT' },
      });
      expect(await failureOf(remove(eve))).toEqual(new ForbiddenError({ code: 'not_member' }));
      await allow(bob, ['MANAGE_CONTENT']);
      await emitted();
      const failures = await Promise.all([remove(bob), remove(bob)].map((each) => failureOf(each)));
      expect(failures).toContainEqual(undefined);
      expect(failures).toContainEqual(new NotFoundError());
      expect(await failureOf(remove(ada))).toEqual(new NotFoundError());
      expect((await emitted()).map(({ event }) => event)).toEqual([
        { op: 'MESSAGE_DELETE', d: place },
      ]);
      const own_ = await post(ada, 'Two');
      await deleteChannelMessage(own.ctx, ada, { channel_id: general, id: own_.id });
      const log = await listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 5 });
      const target = { kind: 'message', id };
      const noted = log.filter(({ action }) => action === 'message_delete');
      expect(noted).toMatchObject([{ target, channel_id: general }]);
    });

    test('[CM10][WC390] a reply shows who wrote the message, whatever they call themselves, and how it begins, until that is deleted', async () => {
      const target = await post(bob, `${'🌱'.repeat(150)}`);
      const reply = await post(ada, 'Yes', { reply_to: target.id });
      const { user } = target;
      expect(user).toMatchObject({ username: 'bob' });
      const shown = {
        id: target.id,
        author: 'bob',
        ...(user && { user }),
        excerpt: '🌱'.repeat(100),
      };
      expect(reply.reply_to).toEqual(shown);
      expect((await list())[0]).toEqual(reply);
      await deleteChannelMessage(own.ctx, bob, { channel_id: general, id: target.id });
      expect((await list())[0]?.reply_to).toEqual({ id: target.id });
      const late = post(ada, 'No', { reply_to: target.id });
      expect(await failureOf(late)).toMatchObject({ data: { field_name: 'reply_to' } });
    });

    test('[CM10] what a reply shows of a message is plain text without its quotes and spoilers', async () => {
      const said = async (content: string) => {
        const { id } = await post(bob, content);
        return (await post(ada, 'Yes', { reply_to: id })).reply_to?.excerpt;
      };
      expect(await said('> Who?\n\nIt was the **||mole\n\nor the fox||**')).toBe('It was the ▇▇▇');
      const long = `2. Oktober ||butler${' butler'.repeat(100)}|| and so on`;
      expect(await said(long)).toBe('2. Oktober ▇▇▇ and so on');
      expect(await said(`||butler${' butler'.repeat(280)}||`)).toBe('▇▇▇');
      expect(await said(`${'a '.repeat(48)}||butler|| b`)).toBe(`${'a '.repeat(48)}▇▇▇ `);
    });

    test('[CM10] an edit of a reply shows nothing of a message that is deleted meanwhile', async () => {
      const target = await post(ada, 'Secret');
      const { id } = await post(bob, 'One', { reply_to: target.id });
      await emitted();
      const { database } = own.ctx;
      const meanwhile: typeof own.ctx = {
        ...own.ctx,
        database: withQueues({
          ...database,
          async transaction(work) {
            await deleteChannelMessage(own.ctx, ada, { channel_id: general, id: target.id });
            return await database.transaction(work);
          },
        }),
      };
      const edit = { channel_id: general, id, content: 'Two' };
      const edited = await changeChannelMessage(meanwhile, bob, edit);
      expect(edited.reply_to).toEqual({ id: target.id });
      const sent = (await emitted()).map(({ event }) => [event.op, event.d['reply_to']]);
      expect(sent).toEqual([
        ['MESSAGE_DELETE', undefined],
        ['MESSAGE_UPDATE', { id: target.id }],
      ]);
    });

    test('[CM12] nobody is mentioned from whom the channel is hidden before the message is stored', async () => {
      const { database } = own.ctx;
      let isHidden = false;
      const meanwhile: typeof own.ctx = {
        ...own.ctx,
        database: withQueues({
          ...database,
          async transaction(work) {
            const everyone = { id: general, subject_id: garden.id, kind: 'role' } as const;
            const hides = !isHidden;
            isHidden = true;
            if (hides) await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['VIEW'] });
            return await database.transaction(work);
          },
        }),
      };
      const message = await postMessage(meanwhile, ada, input('About @bob'));
      expect(message.mentions).toBeUndefined();
      const rows = await own.database.reader.selectFrom('notifications').selectAll().execute();
      expect(rows.filter(({ id }) => id.endsWith(message.id))).toEqual([]);
    });

    test('[CM11] slow mode lets each member post once in its time, on every process', async () => {
      await changeChannel(own.ctx, ada, { id: general, slow_mode_seconds: 10 });
      await using other = await own.anotherServer();
      const tries = await Promise.allSettled([
        post(bob, 'One'),
        postMessage(other, bob, input('Two')),
        post(bob, 'Three'),
      ]);
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      own.clock.advance(4_000);
      expect(await failureOf(post(bob, 'x'))).toEqual(new RateLimitedError(6_000));
      expect((await post(ada, 'Moderator')).content).toBe('Moderator');
      expect((await post(ada, 'Moderator')).content).toBe('Moderator');
      own.clock.advance(6_000);
      expect((await post(bob, 'Again')).content).toBe('Again');
      await allow(bob, ['BYPASS_SLOW_MODE']);
      expect((await post(bob, 'Free')).content).toBe('Free');
    });

    test('[CM11][SC27] slow mode makes nobody wait until a clock that was set back has caught up', async () => {
      await changeChannel(own.ctx, ada, { id: general, slow_mode_seconds: 10 });
      const nowMs = own.clock.unixMs();
      own.clock.setUnixMs(nowMs + 3_600_000);
      await post(bob, 'Ahead');
      own.clock.setUnixMs(nowMs);
      expect((await post(bob, 'Back')).content).toBe('Back');
      expect(await failureOf(post(bob, 'x'))).toEqual(new RateLimitedError(10_000));
      // The clock of another process may be a second late.
      own.clock.setUnixMs(nowMs - 1_000);
      expect(await failureOf(post(bob, 'x'))).toEqual(new RateLimitedError(10_000));
      own.clock.setUnixMs(nowMs + 10_000);
      await post(bob, 'Later');
    });

    test('[CM2] processes that post at once make one order, the same for pages and events', async () => {
      await using other = await own.anotherServer();
      const seen: Id[] = [];
      let reading = Promise.resolve();
      /** Reads what comes after what was seen, once the reading before it is done. */
      const readOn = () =>
        (reading = reading.then(async () => {
          const page = await list({ after: seen.at(-1) ?? ('0' as Id), limit: 7 });
          seen.push(...page.map(({ id }) => id).toReversed());
        }));
      // Three at once in each process, so that everybody waits for others, and no wait is longer than a busy machine allows.
      await Promise.all(
        [own.ctx, other, own.ctx, other, own.ctx, other].map(async (ctx, i) => {
          for (let count = 0; count < 5; count += 1) {
            await postMessage(ctx, i % 3 === 0 ? ada : bob, input(`${i} ${count}`));
            void readOn();
          }
        }),
      );
      await readOn();
      const all = (await list()).map(({ id }) => id).toReversed();
      expect(all).toHaveLength(30);
      expect(seen).toEqual(all);
      const events = await emitted();
      expect(events.map(({ event }) => event.d['id'])).toEqual(all);
      expect(events.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
    });
  });
});
