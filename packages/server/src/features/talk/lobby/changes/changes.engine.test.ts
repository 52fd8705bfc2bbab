import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
  type Id,
} from '@hearth/protocol';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../../actor.ts';
import type { InstanceContext } from '../../../../instance-context.ts';
import { createMessage } from '../create-message.ts';
import { listMessages } from '../list-messages.ts';
import { changeMessage } from './change-message.ts';
import { deleteMessage } from './delete-message.ts';
import { eraseUser } from './erase-user.ts';
import { addReaction, listReacted, removeReaction } from './react.ts';
import { selectReactionsAfter, type StoredReaction } from '../../reactions/reaction-store.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const EMOJI = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓😔'];

onEachDatabase((open) => {
  describe('a message of the lobby', () => {
    let database: TestDatabase;
    let lobby: ChangedLobby;
    let ada: Account;
    let grace: Account;
    let staff: Account;
    let seen: number;

    beforeAll(async () => {
      database = await open();
      lobby = await ChangedLobby.open(database);
      ada = await lobby.addUser('ada');
      grace = await lobby.addUser('grace');
      staff = await lobby.addUser('staff-member', ['HANDLE_REPORTS']);
    });
    beforeEach(() => {
      seen = lobby.events.length;
    });
    afterAll(async () => {
      await lobby[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    async function post(actor: Account, content: string): Promise<Id> {
      const posted = await createMessage(lobby.ctx, actor, { content });
      if (!('id' in posted)) throw new Error('an answer without an id');
      return posted.id;
    }

    const newEvents = () => lobby.events.slice(seen);
    const changes = async () => {
      await lobby.published();
      return newEvents().filter(({ op }) => op !== 'MESSAGE_CREATE');
    };
    const read = async (id: Id, actor: Account | typeof GUEST = GUEST) =>
      (await listMessages(lobby.ctx, actor, { around: id, limit: 1 })).find(
        (message) => message.id === id,
      );
    const failure = (failing: Promise<unknown>) =>
      failing.then(
        () => undefined,
        (error) => error,
      );
    const failures = (all: readonly Promise<unknown>[]) => Promise.all(all.map(failure));

    test('[LA1] a message of somebody with an account has the name of the account, and says whose it is', async () => {
      const created_at = lobby.clock.unixMs();
      const user = { id: ada.user_id, username: 'ada' };
      const posted = await createMessage(lobby.ctx, ada, {
        author: 'somebody else',
        content: 'good evening',
        nonce: 'n',
      });
      const message = {
        id: expect.any(String),
        author: 'ada',
        content: 'good evening',
        created_at,
      };
      expect(posted).toEqual({ ...message, user });
      expect(newEvents()).toEqual([{ op: 'MESSAGE_CREATE', d: { ...message, user, nonce: 'n' } }]);
      if ('id' in posted) expect(await read(posted.id)).toEqual(posted);
      const guest = { author: 'eve', content: 'hello' };
      expect(await createMessage(lobby.ctx, GUEST, guest)).toEqual(guest);
      expect(newEvents().at(-1)?.d).not.toHaveProperty('user');
    });

    test('[LA6][LA6a] a message is changed by its author at once, even before it is written, and all clients are sent the whole message', async () => {
      const id = await post(ada, 'first');
      lobby.clock.advance(1_000);
      const changed = await changeMessage(lobby.ctx, ada, { id, content: 'second' });
      const edited_at = lobby.clock.unixMs();
      expect(changed).toMatchObject({
        id,
        author: 'ada',
        content: 'second',
        edited_at,
        version: 2,
      });
      expect(changed.created_at).toBe(edited_at - 1_000);
      expect(await changes()).toEqual([{ op: 'MESSAGE_UPDATE', d: changed }]);
      expect(await read(id)).toEqual(changed);
      // What changes nothing is no change.
      expect(await changeMessage(lobby.ctx, ada, { id, content: 'second' })).toEqual(changed);
      expect(await changes()).toHaveLength(1);
      const third = await changeMessage(lobby.ctx, ada, { id, content: 'third' });
      expect(third.version).toBe(3);
    });

    test('[LA6] a message is changed even if it is written right after it was looked for', async () => {
      const id = await post(ada, 'just now');
      const { ctx, history } = lobby;
      let hasLooked = false;
      const database: typeof ctx.database = {
        ...ctx.database,
        async transaction(work) {
          const result = await ctx.database.transaction(work);
          if (!hasLooked) await history.flush();
          hasLooked = true;
          return result;
        },
      };
      const edit = { id, content: 'later' };
      expect((await changeMessage({ ...ctx, database }, ada, edit)).content).toBe('later');
    });

    test('[LA6][LA6a][LA7] a message is changed by nobody else, and deleted by its author and the staff only', async () => {
      const id = await post(ada, 'mine');
      const edit = { id, content: 'yours' };
      const refusals = await failures([
        changeMessage(lobby.ctx, grace, edit),
        changeMessage(lobby.ctx, staff, edit),
        deleteMessage(lobby.ctx, grace, { id }),
      ]);
      for (const error of refusals) expect(error).toBeInstanceOf(ForbiddenError);
      expect(refusals.map(({ data }) => data)).toEqual([
        { code: 'not_author' },
        { code: 'not_author' },
        { code: 'permission_missing', permission: 'HANDLE_REPORTS' },
      ]);
      for (const error of await failures([
        changeMessage(lobby.ctx, GUEST, edit),
        deleteMessage(lobby.ctx, GUEST, { id }),
        addReaction(lobby.ctx, GUEST, { id, emoji: '👍' }),
        removeReaction(lobby.ctx, GUEST, { id, emoji: '👍' }),
      ])) {
        expect(error).toBeInstanceOf(UnauthorizedError);
      }
      // Somebody whose permission was taken away after the token was checked.
      const former = { ...grace, staff_permissions: staff.staff_permissions };
      expect(await failures([deleteMessage(lobby.ctx, former, { id })])).toMatchObject([
        { data: { code: 'permission_missing' } },
      ]);
      expect((await read(id))?.content).toBe('mine');
      expect(await changes()).toEqual([]);
      expect(await deleteMessage(lobby.ctx, ada, { id })).toMatchObject({ id, content: 'mine' });
      const other = await post(grace, 'theirs');
      await deleteMessage(lobby.ctx, staff, { id: other });
      expect((await changes()).map(({ op, d }) => [op, d])).toEqual([
        ['MESSAGE_DELETE', { id }],
        ['MESSAGE_DELETE', { id: other }],
      ]);
      expect([await read(id), await read(other)]).toEqual([undefined, undefined]);
    });

    test('[LA7] that was removed, or never was, can be neither changed nor deleted, and nobody can react to it', async () => {
      const id = await post(ada, 'gone');
      await addReaction(lobby.ctx, grace, { id, emoji: '👍' });
      await deleteMessage(lobby.ctx, ada, { id });
      expect(await lobby.storedReactions(id)).toEqual([]);
      const never = (await lobby.ctx.ids.next()) as Id;
      for (const gone of [id, never]) {
        for (const error of await failures([
          changeMessage(lobby.ctx, ada, { id: gone, content: 'again' }),
          deleteMessage(lobby.ctx, ada, { id: gone }),
          addReaction(lobby.ctx, ada, { id: gone, emoji: '👍' }),
          removeReaction(lobby.ctx, ada, { id: gone, emoji: '👍' }),
          listReacted(lobby.ctx, ada, { id: gone, emoji: '👍', limit: 5 }),
        ])) {
          expect(error).toBeInstanceOf(NotFoundError);
        }
      }
      expect((await changes()).map(({ op }) => op)).toEqual(['REACTION_ADD', 'MESSAGE_DELETE']);
    });

    test('[LA9][LA9a] a message gets reactions, whose events have the total, and which say to each reader whether they are theirs', async () => {
      const id = await post(ada, 'react to this');
      const heart = { id, emoji: '❤️' };
      expect(await addReaction(lobby.ctx, grace, heart)).toEqual({
        emoji: '❤',
        count: 1,
        mine: true,
      });
      await addReaction(lobby.ctx, ada, { id, emoji: '👍🏽' });
      expect(await addReaction(lobby.ctx, ada, heart)).toEqual({
        emoji: '❤',
        count: 2,
        mine: true,
      });
      // Repeated.
      expect(await addReaction(lobby.ctx, ada, heart)).toEqual({
        emoji: '❤',
        count: 2,
        mine: true,
      });
      expect(await read(id, grace)).toMatchObject({
        version: 4,
        reactions: [
          { emoji: '❤', count: 2, mine: true },
          { emoji: '👍🏽', count: 1 },
        ],
      });
      const edited = await changeMessage(lobby.ctx, ada, { id, content: 'react to that' });
      expect(edited.reactions).toEqual([
        { emoji: '❤', count: 2, mine: true },
        { emoji: '👍🏽', count: 1, mine: true },
      ]);
      expect(await removeReaction(lobby.ctx, grace, heart)).toEqual({ emoji: '❤', count: 1 });
      expect(await failure(removeReaction(lobby.ctx, grace, heart))).toBeInstanceOf(NotFoundError);
      expect(await removeReaction(lobby.ctx, ada, heart)).toEqual({ emoji: '❤', count: 0 });
      const bare = [
        { emoji: '❤', count: 2 },
        { emoji: '👍🏽', count: 1 },
      ];
      const [one, two] = [grace.user_id, ada.user_id];
      expect((await changes()).map(({ op, d }) => [op, d])).toEqual([
        ['REACTION_ADD', { id, emoji: '❤', count: 1, user_id: one, version: 2 }],
        ['REACTION_ADD', { id, emoji: '👍🏽', count: 1, user_id: two, version: 3 }],
        ['REACTION_ADD', { id, emoji: '❤', count: 2, user_id: two, version: 4 }],
        ['MESSAGE_UPDATE', expect.objectContaining({ version: 5, reactions: bare })],
        ['REACTION_REMOVE', { id, emoji: '❤', count: 1, user_id: one, version: 6 }],
        ['REACTION_REMOVE', { id, emoji: '❤', count: 0, user_id: two, version: 7 }],
      ]);
      expect((await read(id))?.reactions).toEqual([{ emoji: '👍🏽', count: 1 }]);
      await removeReaction(lobby.ctx, ada, { id, emoji: '👍🏽' });
      expect(await read(id)).not.toHaveProperty('reactions');
    });

    test('[LA9] a message has at most 20 kinds of reactions, each of which is one emoji', async () => {
      const id = await post(ada, 'many');
      for (const emoji of EMOJI.slice(0, 20)) await addReaction(lobby.ctx, ada, { id, emoji });
      const refused = await failure(addReaction(lobby.ctx, ada, { id, emoji: EMOJI[20] ?? '' }));
      expect(refused).toBeInstanceOf(ConflictError);
      expect(refused.data).toMatchObject({ code: 'too_many', field_name: 'emoji' });
      // One more of a kind that it has.
      await addReaction(lobby.ctx, grace, { id, emoji: EMOJI[19] ?? '' });
      expect((await read(id))?.reactions?.map(({ count }) => count)).toEqual([
        ...Array.from({ length: 19 }, () => 1),
        2,
      ]);
      expect(await lobby.storedReactions(id)).toHaveLength(21);
      for (const emoji of ['', 'a', '👍👍', ':+1:']) {
        const error = await failure(addReaction(lobby.ctx, ada, { id, emoji }));
        expect(error).toBeInstanceOf(ValidationError);
        expect(error.data).toMatchObject({ field_name: 'emoji' });
      }
    });

    test('[LA10] the people who reacted are listed, the newest account first and a page at a time', async () => {
      const id = await post(ada, 'who?');
      const all = [ada, grace, staff];
      for (const user of all) await addReaction(lobby.ctx, user, { id, emoji: '👍' });
      const page = async (query: { limit: number; after?: Id; before?: Id }) =>
        (await listReacted(lobby.ctx, GUEST, { id, emoji: '👍', ...query })).map(
          ({ username }) => username,
        );
      expect(await page({ limit: 50 })).toEqual(['staff-member', 'grace', 'ada']);
      expect(await page({ limit: 2 })).toEqual(['staff-member', 'grace']);
      expect(await page({ limit: 2, before: grace.user_id })).toEqual(['ada']);
      expect(await page({ limit: 1, after: ada.user_id })).toEqual(['grace']);
      expect(await listReacted(lobby.ctx, GUEST, { id, emoji: '👎', limit: 5 })).toEqual([]);
    });

    test('[LA11] reactions that come at the same time are counted, and their totals equal what is stored', async () => {
      const id = await post(ada, 'all at once');
      await lobby.history.flush();
      const users = [ada, grace, staff];
      const toggles = Array.from({ length: 30 }, (_, at) => {
        const input = { id, emoji: EMOJI[at % 2] ?? '' };
        const user = users[at % 3] ?? ada;
        return at % 5 < 3
          ? addReaction(lobby.ctx, user, input)
          : removeReaction(lobby.ctx, user, input);
      });
      await Promise.allSettled(toggles);
      const stored = Map.groupBy(await lobby.storedReactions(id), (row) => row.split(' ')[1] ?? '');
      const message = await read(id);
      const totals = new Map(message?.reactions?.map(({ emoji, count }) => [emoji, count]));
      expect([...totals].toSorted()).toEqual(
        [...stored].map(([emoji, rows]): [string, number] => [emoji, rows.length]).toSorted(),
      );
      const versions = (await changes()).map(({ d }) => ('version' in d ? d.version : 0));
      expect(versions).toEqual(versions.map((_, at) => at + 2));
      expect(message?.version).toBe(versions.length + 1);
    });

    test('[LA11] a message is edited or deleted if both come at the same time: nobody is sent an edit after the deletion', async () => {
      for (let round = 0; round < 5; round += 1) {
        const id = await post(ada, 'either');
        await lobby.history.flush();
        const racing = [
          changeMessage(lobby.ctx, ada, { id, content: 'or' }),
          deleteMessage(lobby.ctx, ada, { id }),
          addReaction(lobby.ctx, grace, { id, emoji: '👍' }),
        ];
        const settled = await Promise.allSettled(round % 2 === 0 ? racing : racing.toReversed());
        for (const each of settled) {
          if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(NotFoundError);
        }
        const about = (await changes()).filter(({ d }) => 'id' in d && d.id === id);
        expect(about.at(-1)?.op).toBe('MESSAGE_DELETE');
        expect(await read(id)).toBeUndefined();
        expect(await lobby.storedReactions(id)).toEqual([]);
      }
    });

    test('[LA15] a message loses the name of a deleted account, or goes with it, and so do its reactions', async () => {
      const eve = await lobby.addUser('eve-to-be-erased');
      const [own, other] = [await post(eve, 'of eve'), await post(ada, 'of ada')];
      for (const user of [eve, ada]) await addReaction(lobby.ctx, user, { id: other, emoji: '👍' });
      const { signal } = new AbortController();
      const erase = (content: 'keep' | 'erase') =>
        eraseUser(lobby.ctx, { userId: eve.user_id, content, signal });
      const stored = async () =>
        (await lobby.history.list({ before: other, limit: 1 })).map(({ author, user }) => [
          author,
          user?.username,
        ]);
      expect(await stored()).toEqual([['eve-to-be-erased', 'eve-to-be-erased']]);
      seen = lobby.events.length;
      for (let time = 0; time < 2; time += 1) {
        await erase('keep');
        expect(await stored()).toEqual([['deleted', 'deleted']]);
      }
      const nobody = { id: eve.user_id, username: 'deleted', deleted: true };
      const nameless = { id: own, author: 'deleted', content: 'of eve', user: nobody, version: 2 };
      expect(await changes()).toMatchObject([{ op: 'MESSAGE_UPDATE', d: nameless }]);
      seen = lobby.events.length;
      for (let time = 0; time < 2; time += 1) await erase('erase');
      expect(await read(own)).toBeUndefined();
      expect((await read(other))?.reactions).toEqual([{ emoji: '👍', count: 1 }]);
      expect(await lobby.storedReactions(other)).toEqual([`${ada.user_id} 👍`]);
      const reaction = { id: other, emoji: '👍', count: 1, user_id: eve.user_id, version: 4 };
      expect(await changes()).toEqual([
        { op: 'MESSAGE_DELETE', d: { id: own } },
        { op: 'REACTION_REMOVE', d: reaction },
      ]);
    });

    test('[AC14] a person gets each of the reactions to a message once, page by page', async () => {
      const joan = await lobby.addUser('joan');
      const ids = [await post(ada, 'one'), await post(ada, 'two')];
      for (const id of ids) {
        for (const emoji of ['👍', '🎉']) await addReaction(lobby.ctx, joan, { id, emoji });
      }
      const pages: unknown[] = [];
      for (let after: StoredReaction | undefined; ;) {
        const range = { after, limit: 1 };
        const page = await selectReactionsAfter(database.reader, joan.user_id, range);
        after = page.at(-1);
        if (after === undefined) break;
        pages.push([after.messageId, after.emoji]);
      }
      expect(pages).toEqual(
        ids.flatMap((id) => [
          [id, '🎉'],
          [id, '👍'],
        ]),
      );
    });

    test.each(['keep', 'erase'] as const)(
      '[AC15] that came after its author was erased with "%s" is found by the erasure that follows',
      async (content) => {
        const eve = await lobby.addUser(`late-${content}`);
        const other = await post(ada, `quoted by late-${content}`);
        const { signal } = new AbortController();
        const erase = () => eraseUser(lobby.ctx, { userId: eve.user_id, content, signal });
        await erase();
        const late = await post(eve, 'late');
        await addReaction(lobby.ctx, eve, { id: other, emoji: '👍' });
        await erase();
        const isErased = content === 'erase';
        expect((await read(late))?.author).toBe(isErased ? undefined : 'deleted');
        expect(await lobby.storedReactions(other)).toHaveLength(isErased ? 0 : 1);
      },
    );

    test('[LA16][LA17] a message is created once for a nonce, and a repetition is answered with it as it is now', async () => {
      const repeat = async (content = 'once') =>
        createMessage(lobby.ctx, ada, { content, nonce: 'once' });
      const [first, second] = await Promise.all([repeat(), repeat('another text')]);
      if (!('id' in first)) throw new Error('an answer without an id');
      const { id } = first;
      expect(second).toEqual(first);
      await lobby.history.flush();
      expect(await repeat()).toEqual(first);
      await changeMessage(lobby.ctx, ada, { id, content: 'changed' });
      await addReaction(lobby.ctx, ada, { id, emoji: '👍' });
      expect(await repeat()).toMatchObject({
        id,
        content: 'changed',
        version: 3,
        reactions: [{ emoji: '👍', count: 1, mine: true }],
      });
      await deleteMessage(lobby.ctx, ada, { id });
      expect(await failure(repeat())).toBeInstanceOf(NotFoundError);
      const others = [
        await createMessage(lobby.ctx, grace, { content: 'of grace', nonce: 'once' }),
        await createMessage(lobby.ctx, ada, { content: 'empty', nonce: '' }),
        await createMessage(lobby.ctx, ada, { content: 'empty', nonce: '' }),
      ];
      const created = newEvents().filter(({ op }) => op === 'MESSAGE_CREATE');
      expect(created.map(({ d }) => ('id' in d ? d.id : ''))).toEqual([
        id,
        ...others.map((each) => ('id' in each ? each.id : '')),
      ]);
      expect(created[0]?.d).toMatchObject({ content: 'once', nonce: 'once' });
      expect(JSON.stringify(await lobby.history.list({ limit: 4 }))).not.toContain('nonce');
    });

    test('[LA18] a message is created once, even if its process has ended meanwhile', async () => {
      const repeat = async (ctx: InstanceContext) =>
        createMessage(ctx, ada, { content: 'before the end', nonce: 'the end' });
      const first = await repeat(lobby.ctx);
      await lobby.history.flush();
      await using next = await ChangedLobby.open(database);
      expect(await repeat(next.ctx)).toEqual(first);
      expect(next.events.filter(({ op }) => op === 'MESSAGE_CREATE')).toEqual([]);
    });

    test('[LA2] a message shows what others see of its author now, and nothing of a deleted account', async () => {
      const eve = await lobby.addUser('eve');
      const id = await post(eve, 'soon gone');
      await addReaction(lobby.ctx, eve, { id, emoji: '👍' });
      const set = (values: { display_name: string } | { state: 'deleted' }) =>
        lobby.ctx.database.transaction(async (tx) => {
          await tx.sql.updateTable('users').set(values).where('id', '=', eve.user_id).execute();
          tx.changed('users', eve.user_id);
        });
      await set({ display_name: 'Eve' });
      const user = { id: eve.user_id, username: 'eve', display_name: 'Eve' };
      expect(await read(id)).toMatchObject({ author: 'eve', user });
      await set({ state: 'deleted' });
      const deleted = { id: eve.user_id, username: 'deleted', deleted: true };
      expect(await read(id)).toMatchObject({ author: 'deleted', user: deleted });
      expect(await listReacted(lobby.ctx, GUEST, { id, emoji: '👍', limit: 5 })).toEqual([
        deleted,
      ] as never);
    });
  });

  test('[LA13] a message that is no longer kept cannot be changed, and its reactions are deleted with it', async () => {
    await using database = await open();
    await using lobby = await ChangedLobby.open(database, { messages: 2, days: 1 });
    const ada = await lobby.addUser('ada');
    const ids: Id[] = [];
    const post = async (content: string) => {
      const posted = await createMessage(lobby.ctx, ada, { content });
      if ('id' in posted) ids.push(posted.id);
    };
    const idAt = (index: number): Id => {
      const id = ids[index];
      if (id === undefined) throw new Error('nothing was posted');
      return id;
    };
    // In one row, so that the first one is there for longer than it is kept.
    for (const content of ['one', 'two']) await post(content);
    await addReaction(lobby.ctx, ada, { id: idAt(0), emoji: '👍' });
    await addReaction(lobby.ctx, ada, { id: idAt(1), emoji: '👍' });
    await post('three');
    await lobby.history.flush();
    const [first, second] = [idAt(0), idAt(1)];
    const edit = changeMessage(lobby.ctx, ada, { id: first, content: 'four' });
    expect(await edit.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    expect((await changeMessage(lobby.ctx, ada, { id: second, content: '2' })).version).toBe(3);
    lobby.clock.halt(2 * 86_400_000);
    const late = changeMessage(lobby.ctx, ada, { id: second, content: 'late' });
    expect(await late.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    // The history deletes what is outdated once a minute.
    while ((await lobby.storedReactions(second)).length > 0) {
      lobby.clock.advance(60_000);
      await lobby.history.flush();
      await Bun.sleep(25);
    }
    expect(await lobby.storedReactions(first)).toEqual([]);
  });

  test('[LA17][LA17a] a nonce is answered with what was sent if no messages are kept', async () => {
    await using database = await open();
    await using lobby = await ChangedLobby.open(database, { messages: 0, days: 1 });
    const ada = await lobby.addUser('ada');
    const post = async () => createMessage(lobby.ctx, ada, { content: 'not kept', nonce: 'n' });
    const first = await post();
    expect(await post()).toEqual(first);
    expect(lobby.events).toHaveLength(1);
  });
});
