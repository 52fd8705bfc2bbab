import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import {
  ConflictError,
  ForbiddenError,
  formatId,
  ID_EPOCH_SECONDS,
  NotFoundError,
  type Id,
  type NewChannelMessage,
  type OwnCommunity,
  type Permission,
} from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { endedOrWaiting } from '@hearth/testing/lock-waits';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { withQueues, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { listAuditLog } from '../../communities/audit-log/list-audit-log.ts';
import type { RecentContents } from '../../communities/bans/remove-recent.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { removeOverwrite, setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { createRole } from '../../communities/roles/create-role.ts';
import { changeChannelMessage } from './change-message.ts';
import { countReach } from './count-reach.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { deleteManyMessages, deleteMessagesOf } from './delete-messages.ts';
import { findChannelMessage, listChannelMessages } from './list-messages.ts';
import { listPins, pinMessage, unpinMessage } from './pins.ts';
import { postMessage } from './post-message.ts';
import { addChannelReaction, listChannelReacted, removeChannelReaction } from './react.ts';

onEachDatabase((open) => {
  describe('parts of messages', () => {
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

    /** Returns what was emitted since the last call about the channel. */
    const emitted = async (): Promise<readonly { readonly op: string; readonly d: unknown }[]> => {
      const rows = await own.database.reader
        .selectFrom('outbox')
        .selectAll()
        .orderBy('number')
        .execute();
      await own.database.transaction(({ sql }) => sql.deleteFrom('outbox').execute());
      return rows
        .filter(({ subject }) => subject === general)
        .map(({ entry }) => JSON.parse(entry).event);
    };
    const post = (actor: Account, content: string, rest: Partial<NewChannelMessage> = {}) =>
      postMessage(own.ctx, actor, { channel_id: general, content, ...rest });
    const list = (actor: Account = ada) =>
      listChannelMessages(own.ctx, actor, { channel_id: general, limit: 100 });
    const role = (name: string, permissions: Permission[] = [], mentionable = false) =>
      createRole(own.ctx, ada, {
        community_id: garden.id,
        name,
        hoisted: false,
        mentionable,
        self_assignable: false,
        permissions,
      });
    const give = (person: Account, ...ids: Id[]) =>
      changeMember(own.ctx, ada, {
        community_id: garden.id,
        user_id: person.user_id,
        role_ids: ids,
      });
    const hideFrom = (id: Id, subject_id: Id) =>
      setOverwrite(own.ctx, ada, { id, subject_id, kind: 'role', allow: [], deny: ['VIEW'] });
    const stored = async () =>
      (
        await own.database.reader
          .selectFrom('channel_mentions')
          .select('subject_id')
          .where('channel_id', '=', general)
          .orderBy('subject_id')
          .execute()
      ).map(({ subject_id }) => subject_id);

    test('[CM12] a text mentions members who see the channel, and one row notes each', async () => {
      const message = await post(ada, 'Hey @Bob, @bob. Not @eve or @nobody or `@ada`');
      expect(message.mentions).toEqual([{ id: bob.user_id, username: 'bob' }]);
      expect(await stored()).toEqual([bob.user_id]);
      expect((await list())[0]).toEqual(message);
      const { id } = await role('seers');
      await hideFrom(general, garden.id);
      expect((await post(ada, '@bob')).mentions).toBeUndefined();
      await give(bob, id);
      await setOverwrite(own.ctx, ada, {
        id: general,
        subject_id: id,
        kind: 'role',
        allow: ['VIEW'],
        deny: [],
      });
      expect((await post(ada, '@bob')).mentions).toHaveLength(1);
    });

    test('[CM13] roles are mentioned if they may be, and everyone by those who may mention everyone', async () => {
      const tea = await role('Tea Lovers', [], true);
      const quiet = await role('Quiet');
      const text = '@tea-lovers @TEA-lovers! @quiet @all @everyone';
      const asBob = await post(bob, text);
      expect(asBob).toMatchObject({ mention_roles: [tea.id] });
      expect(asBob.mentions_all).toBeUndefined();
      expect(await stored()).toEqual([tea.id]);
      const asAda = await post(ada, text);
      expect(asAda).toMatchObject({ mention_roles: [tea.id, quiet.id], mentions_all: true });
      // All are the everyone role, which has the id of the community.
      expect(await stored()).toEqual([tea.id, tea.id, quiet.id, garden.id].toSorted());
      expect((await emitted()).at(-1)?.d).toEqual(asAda);
    });

    test('[CM14] a channel is named only if everyone who sees the message sees it', async () => {
      const make = (name: string) =>
        createChannel(own.ctx, ada, { community_id: garden.id, kind: 'messages', name });
      const [tea, secret, twin] = [
        await make('Tea Room'),
        await make('secret'),
        await make('twin'),
      ];
      for (const { id } of [secret, twin]) await hideFrom(id, garden.id);
      const message = await post(ada, '#tea-room #secret #general #nowhere');
      expect(message.mention_channels).toEqual([tea.id, general]);
      const inside = await postMessage(own.ctx, ada, {
        channel_id: secret.id,
        content: '#twin #general #secret',
      });
      expect(inside.mention_channels).toEqual([twin.id, general, secret.id]);
    });

    test('[CM15] after an edit, mentions follow the text, and nobody new is counted', async () => {
      const { id } = await post(ada, '@bob @all');
      const place = { channel_id: general, id };
      const edited = await changeChannelMessage(own.ctx, ada, { ...place, content: '@ada @bob' });
      expect(edited.mentions?.map(({ username }) => username)).toEqual(['ada', 'bob']);
      expect(edited.mentions_all).toBeUndefined();
      expect(await stored()).toEqual([bob.user_id]);
      await changeChannelMessage(own.ctx, ada, { ...place, content: 'nobody' });
      expect(await stored()).toEqual([]);
      expect((await findChannelMessage(own.ctx, ada, place)).mentions).toBeUndefined();
      await post(ada, '@bob');
      const [last] = await list();
      if (last === undefined) throw new Error('there is no message');
      await deleteChannelMessage(own.ctx, ada, { channel_id: general, id: last.id });
      expect(await stored()).toEqual([]);
    });

    test('[CM16] what a text reaches is counted before it is posted', async () => {
      const reach = async (actor: Account, content: string) =>
        (await countReach(own.ctx, actor, { channel_id: general, content })).people;
      const tea = await role('tea', [], true);
      await give(bob, tea.id);
      expect(await reach(ada, 'nobody')).toBe(0);
      expect(await reach(ada, '@bob @tea')).toBe(1);
      expect(await reach(bob, '@tea @bob')).toBe(0);
      expect(await reach(bob, '@all')).toBe(0);
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      expect(await reach(ada, '@all')).toBe(2);
      await hideFrom(general, garden.id);
      expect(await reach(ada, '@all @tea')).toBe(0);
      const failure = await failureOf(reach(eve, '@all'));
      expect(failure).toEqual(new NotFoundError());
    });

    test('[CM16] only people who see a restricted channel are counted, of very many members', async () => {
      const { id } = await role('moderators', [], true);
      // They see every channel, whatever overwrites say.
      const administrators = await role('administrators', ['ADMINISTRATOR'], false);
      const people = Array.from({ length: 1_200 }, (_, at) =>
        storedId(String(100_000_000_000 + at)),
      );
      // Their ids come last, so that they are not among those who are read first.
      const seeing = people.slice(-70);
      await own.database.transaction(async ({ sql }) => {
        const user = await sql
          .selectFrom('users')
          .selectAll()
          .where('id', '=', bob.user_id)
          .executeTakeFirstOrThrow();
        const member = await sql
          .selectFrom('members')
          .selectAll()
          .where('community_id', '=', garden.id)
          .where('user_id', '=', bob.user_id)
          .executeTakeFirstOrThrow();
        for (const part of [people.slice(0, 600), people.slice(600)]) {
          await sql
            .insertInto('users')
            .values(part.map((each) => ({ ...user, id: each, username: each })))
            .execute();
          await sql
            .insertInto('members')
            .values(part.map((each) => ({ ...member, user_id: each })))
            .execute();
        }
        const place = { community_id: garden.id, role_id: id };
        await sql
          .insertInto('member_roles')
          .values(seeing.map((each) => ({ ...place, user_id: each })))
          .execute();
        const [first = NO_ID] = people;
        await sql
          .insertInto('member_roles')
          .values({ ...place, role_id: administrators.id, user_id: first })
          .execute();
      });
      const reach = async (content: string) =>
        (await countReach(own.ctx, ada, { channel_id: general, content })).people;
      expect(await reach('@all')).toBe(1_000);
      await hideFrom(general, garden.id);
      expect(await reach('@all')).toBe(1);
      const allow = { id: general, allow: ['VIEW' as const], deny: [] };
      await setOverwrite(own.ctx, ada, { ...allow, subject_id: id, kind: 'role' });
      await setOverwrite(own.ctx, ada, { ...allow, subject_id: bob.user_id, kind: 'member' });
      expect(await reach('@all')).toBe(72);
      expect(await reach('@moderators @bob')).toBe(71);
      // Everyone sees it again but those.
      await removeOverwrite(own.ctx, ada, { id: general, subject_id: garden.id });
      await setOverwrite(own.ctx, ada, {
        ...allow,
        subject_id: id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
      expect(await reach('@all')).toBe(1_000);
      expect(await reach('@moderators')).toBe(0);
      await own.database.transaction(async ({ sql }) => {
        const of = people.slice(0, 1_000);
        await sql.deleteFrom('members').where('user_id', 'in', of).execute();
      });
      expect(await reach('@all')).toBe(131);
    });

    test('[CM17] reactions are counted in the message, and those who react are listed', async () => {
      const { id } = await post(ada, 'Hello');
      const place = { channel_id: general, id };
      const react = (actor: Account, emoji: string) =>
        addChannelReaction(own.ctx, actor, { ...place, emoji });
      await emitted();
      expect(await react(bob, '❤️')).toEqual({ emoji: '❤', count: 1, mine: true });
      expect(await react(bob, '❤')).toEqual({ emoji: '❤', count: 1, mine: true });
      expect(await react(ada, '❤')).toEqual({ emoji: '❤', count: 2, mine: true });
      expect(await failureOf(react(bob, 'x'))).toMatchObject({ data: { field_name: 'emoji' } });
      expect(await failureOf(react(eve, '❤'))).toEqual(new ForbiddenError({ code: 'not_member' }));
      expect((await list(bob))[0]).toMatchObject({
        version: 3,
        reactions: [{ emoji: '❤', count: 2, mine: true }],
      });
      expect((await list(eve))[0]?.reactions).toEqual([{ emoji: '❤', count: 2 }]);
      const listed = await listChannelReacted(own.ctx, eve, { ...place, emoji: '❤️', limit: 50 });
      expect(listed.map(({ username }) => username)).toEqual(['bob', 'ada']);
      const takeBack = () => removeChannelReaction(own.ctx, bob, { ...place, emoji: '❤' });
      expect(await takeBack()).toEqual({ emoji: '❤', count: 1 });
      expect(await failureOf(takeBack())).toEqual(new NotFoundError());
      const d = { channel_id: general, message_id: id, emoji: '❤' };
      expect(await emitted()).toEqual([
        { op: 'REACTION_ADD', d: { ...d, user_id: bob.user_id, count: 1, version: 2 } },
        { op: 'REACTION_ADD', d: { ...d, user_id: ada.user_id, count: 2, version: 3 } },
        { op: 'REACTION_REMOVE', d: { ...d, user_id: bob.user_id, count: 1, version: 4 } },
      ]);
      await setOverwrite(own.ctx, ada, {
        id: general,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['REACT'],
      });
      expect(await failureOf(react(bob, '❤'))).toMatchObject({ data: { permission: 'REACT' } });
    });

    test('[CM17] reactions at once are all counted, and there are at most 20 kinds', async () => {
      const { id } = await post(ada, 'Hello');
      const place = { channel_id: general, id };
      const emoji = Array.from({ length: 21 }, (_, i) => String.fromCodePoint(0x1f600 + i));
      const tries = await Promise.allSettled(
        [ada, bob].flatMap((actor) =>
          emoji.map((each) => addChannelReaction(own.ctx, actor, { ...place, emoji: each })),
        ),
      );
      const refused = tries.filter((each) => each.status === 'rejected');
      expect(refused.every(({ reason }) => reason instanceof ConflictError)).toBe(true);
      const [message] = await list();
      expect(message?.reactions).toHaveLength(20);
      const total = message?.reactions?.reduce((sum, { count }) => sum + count, 0);
      expect(total).toBe(tries.length - refused.length);
    });

    test('[CM18] members with PIN pin up to 100 messages, which are listed', async () => {
      const one = await post(bob, 'One');
      const two = await post(ada, 'Two');
      const at = (id: Id) => ({ channel_id: general, id });
      expect(await failureOf(pinMessage(own.ctx, bob, at(one.id)))).toMatchObject({
        data: { permission: 'PIN' },
      });
      await emitted();
      for (const id of [one.id, two.id, one.id]) {
        own.clock.advance(1);
        expect(await pinMessage(own.ctx, ada, at(id))).toEqual({});
      }
      const pinned = await listPins(own.ctx, bob, { channel_id: general });
      expect(pinned.map(({ content, pinned: isPinned }) => [content, isPinned])).toEqual([
        ['Two', true],
        ['One', true],
      ]);
      expect(await unpinMessage(own.ctx, ada, at(one.id))).toEqual({});
      expect(await failureOf(unpinMessage(own.ctx, ada, at(one.id)))).toEqual(new NotFoundError());
      await deleteChannelMessage(own.ctx, ada, at(two.id));
      expect(await listPins(own.ctx, ada, { channel_id: general })).toEqual([]);
      expect((await emitted()).map(({ op }) => op)).toEqual([
        'PIN_ADD',
        'PIN_ADD',
        'PIN_REMOVE',
        'MESSAGE_DELETE',
      ]);
      const log = await listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 3 });
      expect(log.map(({ action }) => action)).toEqual([
        'message_unpin',
        'message_pin',
        'message_pin',
      ]);
      const rows = Array.from({ length: 100 }, (_, i) => ({
        channel_id: general,
        message_id: storedId(String(i + 1)),
        pinned_at_ms: i,
      }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('channel_pins').values(rows).execute(),
      );
      expect(await failureOf(pinMessage(own.ctx, ada, at(one.id)))).toBeInstanceOf(ConflictError);
    });

    test('[CM9] deleting a message does not deadlock with a post that forgets its mentions', async () => {
      const ids: Id[] = [];
      for (let count = 0; count < MOST_COUNTED_MENTIONS; count += 1) {
        ids.push((await post(ada, '@bob')).id);
      }
      const { database } = own.ctx;
      const attempts = { post: 0, delete: 0 };
      const counting = (name: keyof typeof attempts, before: () => Promise<unknown>) => ({
        ...own.ctx,
        database: withQueues({
          ...database,
          transaction: <Result>(work: (tx: EmittingTransaction) => Promise<Result>) =>
            database.transaction((tx) => {
              attempts[name] += 1;
              const rows: typeof tx.rows = async (statement) => {
                await before();
                return await tx.rows(statement);
              };
              return work({ ...tx, sql: tx.sql, rows });
            }),
        }),
      });
      const posting = counting('post', async () => {});
      let posted: Promise<unknown> | undefined;
      // The post begins right before the deletion takes its place in the channel.
      const deleting = counting('delete', async () => {
        if (posted !== undefined) return;
        posted = postMessage(posting, ada, { channel_id: general, content: '@bob' });
        await endedOrWaiting(own.database, posted);
      });
      const [first = general] = ids;
      await deleteManyMessages(deleting, ada, { channel_id: general, ids: [first] });
      await posted;
      expect(attempts).toEqual({ post: 1, delete: 1 });
      expect(await stored()).toHaveLength(MOST_COUNTED_MENTIONS);
    });

    test('[CM19] moderators delete many messages at once, and unknown ids are ignored', async () => {
      const ids: Id[] = [];
      for (const content of ['1', '2', '3']) ids.push((await post(bob, content)).id);
      const other = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'messages',
        name: 'other',
      });
      const far = await postMessage(own.ctx, ada, { channel_id: other.id, content: 'far' });
      const [first, second] = ids;
      const given = [second, '1', first, first, far.id] as Id[];
      const remove = (actor: Account) =>
        deleteManyMessages(own.ctx, actor, { channel_id: general, ids: given });
      expect(await failureOf(remove(bob))).toMatchObject({
        data: { permission: 'MANAGE_CONTENT' },
      });
      await emitted();
      expect(await remove(ada)).toEqual({});
      expect(await remove(ada)).toEqual({});
      expect((await list()).map(({ content }) => content)).toEqual(['3']);
      expect(await findChannelMessage(own.ctx, ada, { channel_id: other.id, id: far.id })).toEqual(
        far,
      );
      const d = { channel_id: general, ids: [first, second] };
      expect(await emitted()).toEqual([{ op: 'MESSAGE_DELETE_MANY', d }]);
      const [entry] = await listAuditLog(own.ctx, ada, { community_id: garden.id, limit: 1 });
      expect(entry).toMatchObject({ action: 'messages_delete', channel_id: general });
    });

    test('[CM20] what somebody posted in a community in some time is removed, and nothing else', async () => {
      let sequence = 0;
      // Ids of the time that the clock shows.
      const ids = idsFrom(() => {
        const seconds = Math.floor(own.clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
        return formatId({ seconds, instanceId: 1, sequence: (sequence += 1) });
      });
      const ctx = { ...own.ctx, ids };
      const say = async (actor: Account, content: string, channel_id = general) =>
        (await postMessage(ctx, actor, { channel_id, content })).id;
      const other = await own.garden(ada, { visibility: 'public' });
      const elsewhere = other.channels[0]?.id;
      if (elsewhere === undefined) throw new Error('there is no first channel');
      await joinCommunity(own.ctx, bob, { community_id: other.id });
      await say(bob, 'old');
      own.clock.advance(60_000);
      const sinceMs = own.clock.unixMs();
      const recent = [await say(bob, 'one'), await say(bob, 'two')];
      await say(ada, 'by somebody else');
      await say(bob, 'elsewhere', elsewhere);
      own.clock.advance(60_000);
      await say(bob, 'later');
      await emitted();
      const removed: RecentContents = {
        communityId: garden.id,
        userId: bob.user_id,
        sinceMs,
        untilMs: sinceMs + 30_000,
        signal: new AbortController().signal,
      };
      const trial = trialDatabase(own.database);
      const removing = { ...ctx, database: ownerOutbox(trial) };
      for (let round = 0; round < 2; round += 1) await deleteMessagesOf(removing, removed);
      // It is remembered which community has the channel.
      const homes = trial
        .takeQueries()
        .filter((text) => text.startsWith('select "id", "community_id"'));
      expect(homes).toEqual([]);
      expect((await list()).map(({ content }) => content)).toEqual([
        'later',
        'by somebody else',
        'old',
      ]);
      expect(await emitted()).toEqual([
        { op: 'MESSAGE_DELETE_MANY', d: { channel_id: general, ids: recent } },
      ]);
      const left = await listChannelMessages(ctx, ada, { channel_id: elsewhere, limit: 9 });
      expect(left).toHaveLength(1);
    });
  });
});
