import { NotFoundError, type Id, type Member, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANYONE, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { listAuditLog } from '../audit-log/list-audit-log.ts';
import { createChannel } from '../channels/create-channel.ts';
import { setOverwrite } from '../channels/set-overwrite.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { exportInvites } from '../community-invites/export-invites.ts';
import { findCommunity } from '../communities/find-community.ts';
import { endAccount } from '../../accounts/own-account/end-account.ts';
import type { ExportPart } from '../../accounts/exports/export-part.ts';
import { askToJoin } from '../join-requests/ask-to-join.ts';
import { eraseRequests } from '../join-requests/drop-request.ts';
import { exportRequests } from '../join-requests/list-requests.ts';
import { createRole } from '../roles/create-role.ts';
import { changeMember } from './change-member.ts';
import { eraseMemberships } from './erase-memberships.ts';
import { markCommunityDeleted } from '../structure/community-store.ts';
import { exportMemberships } from './export-memberships.ts';
import { findMember, listMembers } from './list-members.ts';
import { joinCommunity } from './join-community.ts';
import { leaveCommunity, removeMember } from './leave-community.ts';
import { renameMember } from './rename-member.ts';
import { sweepTimeOuts } from './sweep-time-outs.ts';

const ROLE = {
  name: 'team',
  hoisted: false,
  mentionable: false,
  self_assignable: false,
  permissions: [],
};

const anAttempt = { id: 'a', number: 1, signal: new AbortController().signal };

onEachDatabase((open) => {
  describe('members', () => {
    let own: CommunityTest;
    let people: Readonly<Record<'ada' | 'bob' | 'cyd' | 'dan' | 'eve', Account>>;

    beforeAll(async () => {
      own = await communityTest(open);
      people = {
        ada: await own.person('ada'),
        bob: await own.person('bob'),
        cyd: await own.person('cyd'),
        dan: await own.person('dan'),
        eve: await own.person('eve'),
      };
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** A community of Ada with Bob, Cyd and Dan. */
    const garden = async (): Promise<OwnCommunity> => {
      const made = await own.garden(people.ada, { visibility: 'public' });
      for (const person of [people.bob, people.cyd, people.dan]) {
        await joinCommunity(own.ctx, person, { community_id: made.id });
      }
      await own.emitted();
      return made;
    };
    const call = (id: Id, { user_id: userId }: Account, nickname: string | null) =>
      changeMember(own.ctx, people.ada, { community_id: id, user_id: userId, nickname });
    const shownNames = (members: readonly Member[]) =>
      members.map(({ nickname, user }) => nickname ?? user.username);

    test('[MB1] members are listed by the names that are shown, page by page', async () => {
      const { id } = await garden();
      await call(id, people.ada, 'ｚoe');
      await call(id, people.dan, 'BEN');
      const pages: (readonly string[])[] = [];
      let cursor: string | undefined;
      do {
        const page = await listMembers(own.ctx, people.eve, {
          community_id: id,
          limit: 2,
          ...(cursor !== undefined && { cursor }),
        });
        pages.push(shownNames(page.entries));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(pages).toEqual([
        ['BEN', 'bob'],
        ['cyd', 'ｚoe'],
      ]);
      for (const wrong of ['', 'x', Buffer.from('{"name":"\\u0000"}').toString('base64url')]) {
        const failing = listMembers(own.ctx, ANYONE, { community_id: id, cursor: wrong, limit: 2 });
        expect(await failureOf(failing)).toMatchObject({ data: { field_name: 'cursor' } });
      }
    });

    test('[MB2] a search finds members by how any of their names begins, each once', async () => {
      const { id } = await garden();
      await call(id, people.dan, 'Daniel');
      await call(id, people.bob, 'dandelion');
      const renamed = { username: 'cyd', display_name: 'DANA' };
      await own.ctx.database.transaction((tx) => renameMember(tx, people.cyd.user_id, renamed));
      const found = async (q: string, limit = 10) => {
        const { entries } = await listMembers(own.ctx, ANYONE, { community_id: id, q, limit });
        return entries.map(({ user }) => user.username);
      };
      expect(await found('dan')).toEqual(['dan', 'cyd', 'bob']);
      expect(await found('ＤＡＮＤ')).toEqual(['bob']);
      expect(await found('cy')).toEqual(['cyd']);
      expect(await found('x')).toEqual([]);
      expect(await found('%')).toEqual([]);
      // The cursor of another list, which is before everything that is found.
      const { cursor } = await listMembers(own.ctx, ANYONE, { community_id: id, limit: 1 });
      const later = { community_id: id, q: 'dan', limit: 1, cursor };
      const { entries } = await listMembers(own.ctx, ANYONE, later);
      expect(entries).toMatchObject([{ user: { username: 'dan' } }]);
      await call(id, people.bob, null);
      expect(await found('dand')).toEqual([]);
      await call(id, people.ada, 'İĞDIR Łukasz');
      for (const q of ['iğdır lu', 'ığdir', 'IGDIR ŁU']) expect(await found(q)).toEqual(['ada']);
      await leaveCommunity(own.ctx, people.dan, { community_id: id });
      expect(await found('dan')).toEqual(['cyd']);
    });

    test('[MB3] everyone who sees a community sees its members, and nobody else', async () => {
      const { id } = await garden();
      const { user_id } = people.bob;
      for (const actor of [ANYONE, people.eve, people.bob]) {
        const member = await findMember(own.ctx, actor, { community_id: id, user_id });
        expect(member).toMatchObject({ user: { username: 'bob' }, community_id: id, role_ids: [] });
      }
      const nobody = findMember(own.ctx, ANYONE, { community_id: id, user_id: people.eve.user_id });
      expect(await failureOf(nobody)).toEqual(new NotFoundError());
      const hidden = await own.garden(people.ada);
      const ofAda = { community_id: hidden.id, user_id: people.ada.user_id };
      for (const actor of [ANYONE, people.eve]) {
        const listing = { community_id: hidden.id, limit: 2 };
        expect(await failureOf(findMember(own.ctx, actor, ofAda))).toEqual(new NotFoundError());
        expect(await failureOf(listMembers(own.ctx, actor, listing))).toEqual(new NotFoundError());
      }
    });

    test('[MB4] only open communities that one sees are joined, by members as often as they like', async () => {
      const join = (id: Id) => joinCommunity(own.ctx, people.eve, { community_id: id });
      const { id } = await garden();
      expect(await join(id)).toEqual(await join(id));
      for (const closed of ['invite', 'request'] as const) {
        const { id: other } = await own.garden(people.ada, { visibility: 'public', join: closed });
        expect(await failureOf(join(other))).toMatchObject({ data: { code: 'join_closed' } });
      }
      const hidden = await own.garden(people.ada);
      expect(await failureOf(join(hidden.id))).toEqual(new NotFoundError());
    });

    test('[MB5] a member is removed by those who may kick and are above them, and may join again', async () => {
      const { id } = await garden();
      const { bob, cyd, dan, ada } = people;
      const kicker = await createRole(own.ctx, ada, {
        ...ROLE,
        community_id: id,
        permissions: ['KICK'],
      });
      for (const { user_id } of [bob, dan]) {
        const role_ids = [kicker.id];
        await changeMember(own.ctx, ada, { community_id: id, user_id, role_ids });
      }
      const kick = (actor: Account, { user_id }: Account) =>
        removeMember(own.ctx, actor, { community_id: id, user_id });
      expect(await failureOf(kick(cyd, bob))).toMatchObject({ data: { permission: 'KICK' } });
      for (const target of [ada, dan, bob]) {
        expect(await failureOf(kick(bob, target))).toMatchObject({
          data: { code: 'rank_too_low' },
        });
      }
      await own.emitted();
      await kick(bob, cyd);
      expect(await own.emitted()).toEqual([
        { stream: `c:${id}`, end: { user: cyd.user_id } },
        {
          stream: `u:${cyd.user_id}`,
          event: { op: 'MEMBER_LEAVE', d: { community_id: id, reason: 'kicked' } },
        },
      ]);
      expect(await failureOf(kick(bob, cyd))).toEqual(new NotFoundError());
      expect(await failureOf(kick(bob, people.eve))).toEqual(new NotFoundError());
      expect((await joinCommunity(own.ctx, cyd, { community_id: id })).membership.role_ids).toEqual(
        [],
      );
    });

    test('[MB7] changes of other members are recorded in the audit log, with the reason', async () => {
      const { id } = await garden();
      const { ada, bob } = people;
      const place = { community_id: id, user_id: bob.user_id };
      await changeMember(own.ctx, bob, { ...place, nickname: 'Robert' });
      await changeMember(own.ctx, ada, { ...place, nickname: 'Bobby', reason: 'He asked for it' });
      await removeMember(own.ctx, ada, { ...place, reason: 'Noise' });
      const log = await listAuditLog(own.ctx, ada, { community_id: id, limit: 50 });
      const target = { kind: 'user', id: bob.user_id, user: { id: bob.user_id, username: 'bob' } };
      expect(log).toMatchObject([
        { action: 'member_kick', target, reason: 'Noise' },
        {
          action: 'member_update',
          target,
          reason: 'He asked for it',
          changes: [{ field: 'nickname', before: 'Robert', after: 'Bobby' }],
        },
      ]);
      expect(log).toHaveLength(2);
    });

    test('[MB8] an account that owns communities is not deleted; the memberships of another one end', async () => {
      const { id } = await garden();
      const dan = await own.person('daniel');
      await joinCommunity(own.ctx, dan, { community_id: id });
      const asked = await own.garden(people.ada, { visibility: 'public', join: 'request' });
      await askToJoin(own.ctx, dan, { community_id: asked.id });
      const roses = await own.garden(dan, { name: 'Roses', slug: 'roses' });
      const end = () =>
        own.ctx.database.transaction((tx) =>
          endAccount(tx, own.ctx, { id: dan.user_id, content: 'keep', release: async () => {} }),
        );
      expect(await failureOf(end())).toMatchObject({
        data: {
          code: 'owns_communities',
          field_name: 'communities',
          error: expect.stringContaining('Roses (roses)'),
        },
      });
      await own.database.transaction(({ sql }) =>
        sql
          .updateTable('communities')
          .set({ owner_id: people.ada.user_id })
          .where('id', '=', roses.id)
          .execute(),
      );
      expect(await end()).toBe(true);
      await own.emitted();
      const { signal } = new AbortController();
      const ctx = own.ctx;
      for (let each = 0; each < 2; each += 1) {
        for (const erase of [eraseMemberships, eraseRequests]) {
          await erase(ctx, { userId: dan.user_id, content: 'keep', signal });
        }
      }
      const events = await own.emitted();
      expect(events).toContainEqual({ stream: `c:${id}`, end: { user: dan.user_id } });
      const left = { community_id: id, reason: 'deleted' };
      const stream = `u:${dan.user_id}`;
      expect(events).toContainEqual({ stream, event: { op: 'MEMBER_LEAVE', d: left } });
      const gone = { community_id: asked.id, user_id: dan.user_id };
      const removal = { op: 'JOIN_REQUEST_DELETE', d: gone };
      expect(events).toContainEqual({ stream: `m:${asked.id}`, event: removal });
      const { entries } = await listMembers(own.ctx, ANYONE, { community_id: id, limit: 10 });
      expect(entries).toHaveLength(4);
      expect((await findCommunity(own.ctx, ANYONE, { id })).member_count).toBe(4);
    });

    test('[MB9] the archive of a person has memberships, requests and invites', async () => {
      const { id } = await garden();
      const { bob } = people;
      await call(id, bob, 'Bobby');
      const asked = await own.garden(people.ada, { visibility: 'public', join: 'request' });
      await askToJoin(own.ctx, bob, { community_id: asked.id, text: 'Please' });
      const { code } = await createCommunityInvite(own.ctx, bob, { community_id: id });
      const ctx = own.ctx;
      const read = async (part: ExportPart<InstanceContext>, person: Account) => {
        const [file] = await part(ctx, person.user_id);
        const text = await file?.read();
        return typeof text === 'string' ? [file?.name, JSON.parse(text)] : undefined;
      };
      const [name, memberships] = (await read(exportMemberships, bob)) ?? [];
      expect(name).toBe('communities.json');
      expect(memberships).toContainEqual(
        expect.objectContaining({ community_id: id, name: 'Garden', nickname: 'Bobby', roles: [] }),
      );
      expect(await read(exportRequests, bob)).toEqual([
        'join-requests.json',
        [{ community_id: asked.id, text: 'Please', created_at: own.clock.unixMs() }],
      ]);
      expect(await read(exportInvites, bob)).toMatchObject([
        'community-invites.json',
        [{ community_id: id, code, uses: 0 }],
      ]);
      await own.database.transaction(async (tx) => {
        await markCommunityDeleted(tx.sql, id, own.clock.unixMs());
        tx.changed('communities', id);
      });
      const [, left] = (await read(exportMemberships, bob)) ?? [];
      expect(
        left.find((each: { community_id: Id }) => each.community_id === id),
      ).not.toHaveProperty('name');
      const [, owned] = (await read(exportMemberships, people.ada)) ?? [];
      expect(owned).toContainEqual(expect.objectContaining({ community_id: id, name: 'Garden' }));
      const stranger = await own.person('stranger');
      for (const part of [exportMemberships, exportRequests, exportInvites]) {
        expect(await read(part, stranger)).toBeUndefined();
      }
    });

    test('[MB10] somebody who leaves and comes back is timed out for as long as before', async () => {
      const { id } = await garden();
      const { ada, bob, cyd } = people;
      const place = { community_id: id };
      const until = own.clock.unixMs() + 60_000;
      for (const { user_id } of [bob, cyd]) {
        await changeMember(own.ctx, ada, { ...place, user_id, timed_out_until: until });
      }
      const again = async (person: Account) =>
        (await joinCommunity(own.ctx, person, place)).membership.timed_out_until;
      await leaveCommunity(own.ctx, bob, place);
      await removeMember(own.ctx, ada, { ...place, user_id: cyd.user_id });
      expect(await again(bob)).toBe(until);
      await sweepTimeOuts(own.ctx).run(undefined, anAttempt);
      expect(await again(cyd)).toBe(until);
      const rename = () =>
        changeMember(own.ctx, cyd, { ...place, user_id: cyd.user_id, nickname: 'C' });
      expect(await failureOf(rename())).toMatchObject({ data: { code: 'timed_out', until } });
      for (const person of [bob, cyd]) await leaveCommunity(own.ctx, person, place);
      own.clock.advance(60_000);
      expect(await again(bob)).toBeUndefined();
      await sweepTimeOuts(own.ctx).run(undefined, anAttempt);
      const rows = await own.database.reader.selectFrom('kept_time_outs').selectAll().execute();
      expect(rows).toEqual([]);
    });

    test('[MB6] the access to restricted channels ends with the membership, and with the role that it took', async () => {
      const { id } = await garden();
      const { ada, bob, cyd } = people;
      const team = await createRole(own.ctx, ada, { ...ROLE, community_id: id });
      const channel = await createChannel(own.ctx, ada, {
        community_id: id,
        kind: 'messages',
        name: 'team',
        overwrites: [
          { id, kind: 'role', allow: [], deny: ['VIEW'] },
          { id: team.id, kind: 'role', allow: ['VIEW'], deny: [] },
        ],
      });
      const give = ({ user_id }: Account, role_ids: Id[]) =>
        changeMember(own.ctx, ada, { community_id: id, user_id, role_ids });
      for (const person of [bob, cyd]) await give(person, [team.id]);
      const endOf = ({ user_id }: Account) => ({
        stream: `r:${channel.id}`,
        end: { user: user_id },
      });
      await own.emitted();
      await give(bob, []);
      expect(await own.emitted()).toContainEqual(endOf(bob));
      await leaveCommunity(own.ctx, cyd, { community_id: id });
      const left = await own.emitted();
      expect(left).toContainEqual(endOf(cyd));
      expect(left).toContainEqual({ stream: `c:${id}`, end: { user: cyd.user_id } });
      // Bob does not see it any more, so nothing of it ends with his membership.
      await setOverwrite(own.ctx, ada, {
        id: channel.id,
        subject_id: bob.user_id,
        kind: 'member',
        allow: [],
        deny: ['SEND_MESSAGES'],
      });
      await own.emitted();
      await leaveCommunity(own.ctx, bob, { community_id: id });
      expect((await own.emitted()).map(({ stream }) => stream)).toEqual([
        `c:${id}`,
        `u:${bob.user_id}`,
      ]);
    });
  });
});
