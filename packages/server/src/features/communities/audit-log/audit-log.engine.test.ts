import { storedId } from '../../../ports/database/stored-id.ts';
import { ForbiddenError, NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import { auditQuerySchema } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TABLES } from '../../../schema.ts';
import type { Account } from '../../../actor.ts';
import { changeChannel, deleteChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { setOverwrite } from '../channels/set-overwrite.ts';
import { eraseRows } from '../../accounts/erasure/erase-account.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { sweepAuditLog } from '../audit/sweep-audit-log.ts';
import { audit, beginEntry } from '../audit/audit.ts';
import { listAuditLog } from './list-audit-log.ts';

onEachDatabase((open) => {
  describe('the audit log', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      // Bob may read the log, and change channels and roles.
      await changeRole(own.ctx, ada, {
        community_id: garden.id,
        role_id: (await role('auditor', ['VIEW_AUDIT_LOG', 'MANAGE_ROLES', 'MANAGE_CHANNELS'])).id,
        name: 'reader',
      });
    });

    const role = async (
      name: string,
      permissions: Parameters<typeof createRole>[2]['permissions'],
    ) => {
      const created = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name,
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions,
      });
      const place = { community_id: garden.id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...place, role_ids: [created.id] });
      return created;
    };
    const log = (actor: Account, query: Readonly<Record<string, string>> = {}) =>
      listAuditLog(own.ctx, actor, {
        community_id: garden.id,
        ...auditQuerySchema.parse(query),
      });
    const talk = (name: string, community_id: Id = garden.id) =>
      createChannel(own.ctx, ada, { community_id, kind: 'messages', name });
    const hide = (id: Id) =>
      setOverwrite(own.ctx, ada, {
        id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });

    test('[AU1][AU1a] the log says who did what, and is silent about what failed', async () => {
      const channel = await talk('roses');
      await changeChannel(own.ctx, ada, { id: channel.id, name: 'lilies', topic: 'Spring' });
      const entries = await log(bob);
      expect<unknown>(entries.slice(0, 2)).toEqual([
        {
          id: expect.any(String),
          community_id: garden.id,
          user: { id: ada.user_id, username: 'ada' },
          action: 'channel_update',
          target: { kind: 'channel', id: channel.id, name: 'lilies' },
          channel_id: channel.id,
          changes: [
            { field: 'name', before: 'roses', after: 'lilies' },
            { field: 'topic', after: 'Spring' },
          ],
          created_at: own.clock.unixMs(),
        },
        expect.objectContaining({ action: 'channel_create' }),
      ]);
      expect(entries.find(({ action }) => action === 'role_update')?.changes).toEqual([
        { field: 'name', before: 'auditor', after: 'reader' },
      ]);
      const change = changeChannel(own.ctx, eve, { id: channel.id, name: 'x' });
      expect(await failureOf(change)).toBeInstanceOf(ForbiddenError);
      const entry = await beginEntry(own.ctx, ada, garden.id);
      const failing = own.ctx.database.transaction(async (tx) => {
        await audit(tx, entry, { action: 'member_kick' });
        throw new Error('it failed');
      });
      expect(await failureOf(failing)).toBeInstanceOf(Error);
      expect(await log(bob)).toEqual(entries);
    });

    test('[AU2] the log is for members with VIEW_AUDIT_LOG', async () => {
      expect(await failureOf(log(eve))).toMatchObject({ data: { permission: 'VIEW_AUDIT_LOG' } });
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      expect(await failureOf(log(eve))).toMatchObject({ data: { permission: 'VIEW_AUDIT_LOG' } });
      const hidden = await own.garden(ada);
      const query = { community_id: hidden.id, limit: 50 };
      expect(await failureOf(listAuditLog(own.ctx, eve, query))).toEqual(new NotFoundError());
      expect(await listAuditLog(own.ctx, ada, query)).toEqual([]);
    });

    test('[AU3] the log does not mention channels that the reader does not see, even after they were deleted', async () => {
      const [secret, plain] = [await talk('secret'), await talk('plain')];
      const before = await log(bob);
      await hide(secret.id);
      await changeChannel(own.ctx, ada, { id: secret.id, topic: 'A surprise' });
      const seen = async (actor: Account) =>
        (await log(actor)).map(({ action, channel_id: id }) => [action, id]);
      const isSecret = ([, id]: readonly unknown[]) => id === secret.id;
      expect((await seen(bob)).filter(isSecret)).toEqual([]);
      expect((await seen(ada)).filter(isSecret)).toHaveLength(3);
      await deleteChannel(own.ctx, ada, { id: secret.id });
      await deleteChannel(own.ctx, ada, { id: plain.id });
      // What happened while everyone saw it.
      expect((await seen(bob)).filter(isSecret)).toEqual([['channel_create', secret.id]]);
      expect((await seen(ada)).filter(isSecret)).toHaveLength(4);
      expect(await log(bob)).toHaveLength(before.length + 1);
    });

    test('[AU4] the log has pages, and is searched by who did something and by what was done', async () => {
      for (const name of ['a', 'b', 'c']) await talk(name);
      const all = await log(bob);
      const ids = all.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(4);
      const [newest, second, third] = ids.slice(0, 3);
      if (newest === undefined || second === undefined || third === undefined)
        throw new Error('too few');
      const pages = [
        await log(bob, { limit: '2' }),
        await log(bob, { before: newest, limit: '2' }),
        await log(bob, { after: third, limit: '1' }),
        await log(bob, { after: ids.at(-1) ?? '', before: newest, limit: '1' }),
      ];
      expect(pages.map((page) => page.map(({ id }) => id))).toEqual([
        [newest, second],
        [second, third],
        [second],
        [second],
      ]);
      const names = async (query: Readonly<Record<string, string>>) =>
        (await log(bob, query)).map(({ target }) => target?.name);
      expect(await names({ action: 'channel_create' })).toEqual(['c', 'b', 'a']);
      expect(await names({ user: bob.user_id })).toEqual([]);
      expect(await names({ user: ada.user_id, action: 'role_create' })).toEqual(['auditor']);
    });

    test('[AU5] the log keeps what it says of deleted accounts, without reasons and changes', async () => {
      const [dan, entry] = [await own.person('dan'), await beginEntry(own.ctx, ada, garden.id)];
      await own.ctx.database.transaction((tx) =>
        audit(tx, entry, {
          action: 'member_kick',
          target: { kind: 'user', id: dan.user_id },
          reason: 'spam',
          changes: [{ field: 'nickname', before: 'Dan the Man' }],
        }),
      );
      const [kick] = await log(ada);
      expect(kick).toMatchObject({
        reason: 'spam',
        changes: [{ field: 'nickname', before: 'Dan the Man' }],
        target: { kind: 'user', id: dan.user_id, user: { username: 'dan' } },
      });
      const { signal } = new AbortController();
      await eraseRows(own.database, TABLES, { personId: dan.user_id, signal });
      const { reason: _reason, changes: _changes, ...left } = kick ?? {};
      expect<unknown>((await log(ada))[0]).toEqual(left);
    });

    test('[AU6] the log forgets what was done more than a year ago', async () => {
      const year = 365 * 86_400_000;
      const nowMs = own.clock.unixMs();
      const old = (await log(ada)).length;
      await own.database.unchecked.transaction(async ({ sql }) => {
        const before = { created_at_ms: nowMs - year - 1 };
        const own1 = sql.updateTable('audit_entries').set(before);
        await own1.where('community_id', '=', garden.id).execute();
        const row = await sql
          .selectFrom('audit_entries')
          .selectAll()
          .where('community_id', '=', garden.id)
          .executeTakeFirstOrThrow();
        const many = Array.from({ length: 1_100 }, (_, at) => ({
          ...row,
          id: storedId(`${at + 1}`),
        }));
        await sql.insertInto('audit_entries').values(many).execute();
      });
      const entry = await beginEntry(own.ctx, ada, garden.id);
      await own.ctx.database.transaction((tx) => audit(tx, entry, { action: 'community_update' }));
      expect((await log(ada)).length).toBeGreaterThan(old);
      const { signal } = new AbortController();
      await sweepAuditLog(own.ctx).run(undefined, { id: 'a', number: 1, signal });
      expect((await log(ada)).map(({ action }) => action)).toEqual(['community_update']);
    });
  });
});
