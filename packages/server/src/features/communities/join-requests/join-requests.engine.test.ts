import { NotFoundError, type Id, type Permission } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { listAuditLog } from '../audit-log/list-audit-log.ts';
import { setBan } from '../bans/set-ban.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { useInvite } from '../community-invites/use-invite.ts';
import { findCommunity } from '../communities/find-community.ts';
import { changeCommunity } from '../communities/change-community.ts';
import { changeMember } from '../members/change-member.ts';
import { createRole } from '../roles/create-role.ts';
import { acceptRequest, refuseRequest } from './answer-request.ts';
import { askToJoin, findOwnRequest, withdrawRequest } from './ask-to-join.ts';
import { listRequests } from './list-requests.ts';

onEachDatabase((open) => {
  describe('requests to join', () => {
    let own: CommunityTest;
    let people: Readonly<Record<'ada' | 'bob' | 'cyd' | 'dan', Account>>;

    beforeAll(async () => {
      own = await communityTest(open);
      people = {
        ada: await own.person('ada'),
        bob: await own.person('bob'),
        cyd: await own.person('cyd'),
        dan: await own.person('dan'),
      };
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** A public community of Ada that takes requests. */
    const garden = async (): Promise<Id> => {
      const made = await own.garden(people.ada, { visibility: 'public', join: 'request' });
      await own.emitted();
      return made.id;
    };
    const ask = (id: Id, actor: Account, text?: string) =>
      askToJoin(own.ctx, actor, { community_id: id, ...(text !== undefined && { text }) });
    const accept = (id: Id, actor: Account, { user_id }: Account) =>
      acceptRequest(own.ctx, actor, { community_id: id, user_id });
    const refuse = (id: Id, actor: Account, { user_id }: Account) =>
      refuseRequest(own.ctx, actor, { community_id: id, user_id });
    const list = (id: Id, actor: Account, limit = 10, cursor?: string) =>
      listRequests(own.ctx, actor, { community_id: id, limit, cursor });
    const removal = (id: Id, { user_id }: Account) => ({
      stream: `m:${id}`,
      event: { op: 'JOIN_REQUEST_DELETE', d: { community_id: id, user_id } },
    });

    test('[JR1] people ask to join a community that takes requests, and change what they say', async () => {
      const id = await garden();
      const { ada, bob } = people;
      const asked = await ask(id, bob, 'I grow roses');
      expect<unknown>(asked).toEqual({
        user: { id: bob.user_id, username: 'bob' },
        community_id: id,
        text: 'I grow roses',
        created_at: own.clock.unixMs(),
      });
      expect<unknown>(await own.emitted()).toEqual([
        { stream: `m:${id}`, event: { op: 'JOIN_REQUEST_CREATE', d: asked } },
      ]);
      own.clock.advance(1_000);
      expect(await ask(id, bob, 'I grow roses')).toEqual(asked);
      expect(await own.emitted()).toEqual([]);
      const { text: _text, ...silent } = asked;
      expect<unknown>(await ask(id, bob)).toEqual(silent);
      expect(await own.emitted()).toHaveLength(1);
      expect<unknown>(await findOwnRequest(own.ctx, bob, { community_id: id })).toEqual(silent);
      const wrong = { data: { code: 'wrong_state' } };
      expect(await failureOf(ask(id, ada))).toMatchObject(wrong);
      const everyone = await own.garden(ada, { visibility: 'public' });
      expect(await failureOf(ask(everyone.id, bob))).toMatchObject(wrong);
      const closed = await own.garden(ada, { visibility: 'public', join: 'invite' });
      expect(await failureOf(ask(closed.id, bob))).toMatchObject({ data: { code: 'join_closed' } });
      const secret = await own.garden(ada, { join: 'request' });
      expect(await failureOf(ask(secret.id, bob))).toEqual(new NotFoundError());
      expect(await failureOf(ask(secret.id, ada))).toMatchObject(wrong);
    });

    test('[JR2] members with KICK or MANAGE_INVITES list requests, accept and refuse them', async () => {
      const id = await garden();
      const { ada, bob, cyd, dan } = people;
      for (const person of [cyd, dan, bob]) {
        await ask(id, person);
        own.clock.advance(1_000);
      }
      await own.emitted();
      expect(await accept(id, ada, bob)).toMatchObject({ user: { username: 'bob' }, role_ids: [] });
      const events = await own.emitted();
      expect(events).toContainEqual(removal(id, bob));
      const mine = events.filter(({ stream }) => stream === `u:${bob.user_id}`);
      const joined = { op: 'COMMUNITY_CREATE', d: { id, member_count: 2 } };
      expect(mine).toMatchObject([{ event: joined }]);
      expect((await findCommunity(own.ctx, cyd, { id })).member_count).toBe(2);
      // Again, as after a reply that was lost.
      expect(await accept(id, ada, bob)).toMatchObject({ user: { username: 'bob' } });
      expect(await own.emitted()).toEqual([]);

      const lacking = { data: { permission: 'KICK' } };
      for (const actor of [bob, dan]) {
        expect(await failureOf(list(id, actor))).toMatchObject(lacking);
      }
      expect(await failureOf(accept(id, bob, cyd))).toMatchObject(lacking);
      expect(await failureOf(refuse(id, bob, cyd))).toMatchObject(lacking);
      for (const permission of ['KICK', 'MANAGE_INVITES'] as const) {
        await may(id, bob, permission);
        const first = await list(id, bob, 1);
        expect(first.entries).toMatchObject([{ user: { username: 'cyd' } }]);
        const { entries, cursor } = await list(id, bob, 1, first.cursor);
        expect(entries).toMatchObject([{ user: { username: 'dan' } }]);
        expect(cursor).toBeUndefined();
      }
      await own.emitted();
      await refuse(id, bob, cyd);
      expect(await own.emitted()).toEqual([removal(id, cyd)]);
      for (const failing of [() => refuse(id, bob, cyd), () => accept(id, bob, cyd)]) {
        expect(await failureOf(failing())).toEqual(new NotFoundError());
      }
      const log = await listAuditLog(own.ctx, ada, { community_id: id, limit: 50 });
      const acts = log.filter(({ action }) => action.startsWith('join_'));
      expect(acts.map(({ action, target }) => [action, target?.id])).toEqual([
        ['join_refuse', cyd.user_id],
        ['join_accept', bob.user_id],
      ]);
    });

    const may = async (id: Id, { user_id }: Account, permission: Permission) => {
      const role = await createRole(own.ctx, people.ada, {
        community_id: id,
        name: permission,
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: [permission],
      });
      await changeMember(own.ctx, people.ada, { community_id: id, user_id, role_ids: [role.id] });
    };

    test('[JR3] a request is gone when it is taken back, and when the person joins or is banned', async () => {
      const id = await garden();
      const { ada, bob, cyd, dan } = people;
      for (const person of [bob, cyd, dan]) await ask(id, person);
      await own.emitted();
      await withdrawRequest(own.ctx, bob, { community_id: id });
      const again = withdrawRequest(own.ctx, bob, { community_id: id });
      expect(await failureOf(again)).toEqual(new NotFoundError());
      const { code } = await createCommunityInvite(own.ctx, ada, { community_id: id });
      await useInvite(own.ctx, cyd, { code });
      await setBan(own.ctx, ada, { community_id: id, user_id: dan.user_id });
      const moderators = (await own.emitted()).filter(({ stream }) => stream.startsWith('m:'));
      expect(moderators).toEqual([bob, cyd, dan].map((person) => removal(id, person)));
      expect((await list(id, ada)).entries).toEqual([]);
    });

    test('[JR3] a request is taken back also if its community has become private', async () => {
      const id = await garden();
      const { ada, bob, cyd } = people;
      await ask(id, bob);
      await changeCommunity(own.ctx, ada, { id, visibility: 'private' });
      await own.emitted();
      const withdraw = (actor: Account) => withdrawRequest(own.ctx, actor, { community_id: id });
      expect(await failureOf(withdraw(cyd))).toEqual(new NotFoundError());
      expect(await withdraw(bob)).toEqual({});
      expect(await own.emitted()).toEqual([removal(id, bob)]);
      expect(await failureOf(withdraw(bob))).toEqual(new NotFoundError());
    });

    test('[JR4] at most 1,000 people wait for a community, and somebody for 100 communities', async () => {
      const id = await garden();
      const { ada, cyd } = people;
      const bob = await own.person('busy');
      const row = { community_id: id, content: '', created_at_ms: 1 };
      const copy = async (table: 'users' | 'communities', of: Id, count: number) => {
        const ids = await Promise.all(Array.from({ length: count }, () => own.ctx.ids.next()));
        await own.database.transaction(async ({ sql }) => {
          const one = await sql
            .selectFrom(table)
            .selectAll()
            .where('id', '=', of)
            .executeTakeFirstOrThrow();
          for (let from = 0; from < count; from += 50) {
            const rows = ids.slice(from, from + 50).map((each) => ({ ...one, id: each }));
            await sql.insertInto(table).values(rows).execute();
          }
        });
        return ids;
      };
      const strangers = await copy('users', ada.user_id, 999);
      const others = await copy('communities', id, 99);
      await own.database.transaction(async ({ sql }) => {
        const requests = [
          ...strangers.map((user_id) => ({ ...row, user_id })),
          ...others.map((community_id) => ({ ...row, community_id, user_id: bob.user_id })),
        ];
        for (let from = 0; from < requests.length; from += 200) {
          await sql
            .insertInto('join_requests')
            .values(requests.slice(from, from + 200))
            .execute();
        }
      });
      const tooMany = { data: { code: 'too_many' } };
      const asked = await Promise.all([bob, cyd].map((person) => failureOf(ask(id, person))));
      expect(asked.filter((failure) => failure !== undefined)).toMatchObject([tooMany]);
      await own.database.transaction(({ sql }) =>
        sql.deleteFrom('join_requests').where('community_id', '=', id).execute(),
      );
      await ask(id, bob);
      expect(await failureOf(ask(await garden(), bob))).toMatchObject(tooMany);
      expect((await ask(id, cyd)).community_id).toBe(id);
    });
  });
});
