import { NotFoundError, type BanInput, type Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { listAuditLog } from '../audit-log/list-audit-log.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { findInvite } from '../community-invites/find-invite.ts';
import { useInvite } from '../community-invites/use-invite.ts';
import { accessTo, accessToChannel } from '../structure/access.ts';
import { findCommunity } from '../communities/find-community.ts';
import { askToJoin } from '../join-requests/ask-to-join.ts';
import { findMember } from '../members/list-members.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { createRole } from '../roles/create-role.ts';
import { liftBan, setBan } from './set-ban.ts';
import { findBan, listBans } from './list-bans.ts';
import { removeRecent, type RecentContents } from './remove-recent.ts';
import { sweepBans } from './sweep-bans.ts';

const banned = { data: { code: 'banned_here' } };

onEachDatabase((open) => {
  describe('bans', () => {
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

    /** A public community of Ada in which Bob may ban and Cyd is a member. */
    const garden = async (): Promise<Id> => {
      const { ada, bob, cyd } = people;
      const { id } = await own.garden(ada, { visibility: 'public' });
      for (const person of [bob, cyd]) await joinCommunity(own.ctx, person, { community_id: id });
      const role = await createRole(own.ctx, ada, {
        community_id: id,
        name: 'moderator',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: ['BAN'],
      });
      const place = { community_id: id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...place, role_ids: [role.id] });
      await own.emitted();
      return id;
    };
    const ban = (id: Id, actor: Account, target: Account, input: BanInput = {}) =>
      setBan(own.ctx, actor, { community_id: id, user_id: target.user_id, ...input });
    const join = (id: Id, actor: Account) => joinCommunity(own.ctx, actor, { community_id: id });

    test('[BA1] members with BAN ban members below their highest role, and people who are not members', async () => {
      const id = await garden();
      const { ada, bob, cyd, dan } = people;
      expect(await failureOf(ban(id, cyd, dan))).toMatchObject({ data: { permission: 'BAN' } });
      for (const target of [ada, bob]) {
        expect(await failureOf(ban(id, bob, target))).toMatchObject({
          data: { code: 'rank_too_low' },
        });
      }
      expect(await failureOf(ban(id, ada, ada))).toMatchObject({ data: { code: 'rank_too_low' } });
      const nobody = { community_id: id, user_id: '1' as Id };
      expect(await failureOf(setBan(own.ctx, bob, nobody))).toEqual(new NotFoundError());
      expect<unknown>(await ban(id, bob, dan, { reason: 'Spam' })).toEqual({
        user: { id: dan.user_id, username: 'dan' },
        community_id: id,
        reason: 'Spam',
        created_by: { id: bob.user_id, username: 'bob' },
        created_at: own.clock.unixMs(),
      });
      expect(await own.emitted()).toEqual([]);
      await ban(id, bob, cyd);
      expect(await own.emitted()).toEqual([
        { stream: `c:${id}`, end: { user: cyd.user_id } },
        {
          stream: `u:${cyd.user_id}`,
          event: { op: 'MEMBER_LEAVE', d: { community_id: id, reason: 'banned' } },
        },
      ]);
      const log = await listAuditLog(own.ctx, ada, { community_id: id, limit: 2 });
      expect(log).toMatchObject([
        { action: 'ban_create', target: { id: cyd.user_id }, user: { username: 'bob' } },
        { action: 'ban_create', target: { id: dan.user_id }, reason: 'Spam' },
      ]);
    });

    test('[BA2] somebody who is banned joins in no way, sees no invite, and reads as a visitor does', async () => {
      const id = await garden();
      const { ada, bob, dan } = people;
      const { code } = await createCommunityInvite(own.ctx, ada, { community_id: id });
      const [channel] = (await own.ctx.communities.get(id))?.channelById.keys() ?? [];
      if (channel === undefined) throw new Error('there is no channel');
      const may = async () => {
        const { viewer } = await accessTo(own.ctx, dan, id);
        expect((await accessToChannel(own.ctx, dan, channel)).viewer).toEqual(viewer);
        return viewer;
      };
      expect(await may()).toEqual({ kind: 'account', may_discuss: true });
      await ban(id, bob, dan);
      expect(await may()).toEqual({ kind: 'visitor' });
      expect((await findCommunity(own.ctx, dan, { id })).id).toBe(id);
      expect(await failureOf(join(id, dan))).toMatchObject(banned);
      expect(await failureOf(findInvite(own.ctx, dan, { code }))).toEqual(new NotFoundError());
      expect(await failureOf(useInvite(own.ctx, dan, { code }))).toEqual(new NotFoundError());
      await liftBan(own.ctx, bob, { community_id: id, user_id: dan.user_id });
      expect(await may()).toEqual({ kind: 'account', may_discuss: true });
      expect((await join(id, dan)).id).toBe(id);

      const asked = await own.garden(ada, { visibility: 'public', join: 'request' });
      await ban(asked.id, ada, dan);
      const asking = askToJoin(own.ctx, dan, { community_id: asked.id });
      expect(await failureOf(asking)).toMatchObject(banned);
    });

    test('[BA3] an expired ban counts as none, and is forgotten', async () => {
      const id = await garden();
      const { bob, dan } = people;
      const expires_at = own.clock.unixMs() + 60_000;
      for (const wrong of [0, own.clock.unixMs() + 999]) {
        const failure = await failureOf(ban(id, bob, dan, { expires_at: wrong }));
        expect(failure).toMatchObject({ data: { field_name: 'expires_at' } });
      }
      expect(await ban(id, bob, dan, { expires_at })).toMatchObject({ expires_at });
      expect(await failureOf(join(id, dan))).toMatchObject({ data: { until: expires_at } });
      expect((await accessTo(own.ctx, dan, id)).viewer.kind).toBe('visitor');
      const rows = () => own.database.reader.selectFrom('community_bans').selectAll().execute();
      const count = (await rows()).length;
      await sweepBans(own.ctx).run(undefined, anAttempt);
      expect(await rows()).toHaveLength(count);
      own.clock.advance(60_000);
      expect((await accessTo(own.ctx, dan, id)).viewer.kind).toBe('account');
      const place = { community_id: id, user_id: dan.user_id };
      expect(await failureOf(findBan(own.ctx, bob, place))).toEqual(new NotFoundError());
      expect(await failureOf(liftBan(own.ctx, bob, place))).toEqual(new NotFoundError());
      const { entries } = await listBans(own.ctx, bob, { community_id: id, limit: 10 });
      expect(entries).toEqual([]);
      expect((await join(id, dan)).id).toBe(id);
      await sweepBans(own.ctx).run(undefined, anAttempt);
      expect(await rows()).toHaveLength(count - 1);
    });

    test('[BA4] bans are listed with the newest first, changed and lifted, by those who may ban', async () => {
      const id = await garden();
      const { ada, bob, cyd, dan } = people;
      await ban(id, bob, cyd);
      own.clock.advance(1_000);
      await ban(id, bob, dan, { reason: 'Noise' });
      own.clock.advance(1_000);
      await ban(id, ada, cyd, { reason: 'Spam' });
      const first = await listBans(own.ctx, bob, { community_id: id, limit: 1 });
      expect(first.entries).toMatchObject([{ user: { username: 'dan' }, reason: 'Noise' }]);
      const rest = { community_id: id, limit: 1, cursor: first.cursor };
      const second = await listBans(own.ctx, bob, rest);
      expect(second).toMatchObject({
        entries: [{ user: { username: 'cyd' }, reason: 'Spam', created_by: { username: 'ada' } }],
        cursor: undefined,
      });
      for (const asking of [
        () => listBans(own.ctx, dan, { community_id: id, limit: 1 }),
        () => findBan(own.ctx, dan, { community_id: id, user_id: dan.user_id }),
      ]) {
        expect(await failureOf(asking())).toMatchObject({ data: { permission: 'BAN' } });
      }
      const hidden = await own.garden(ada);
      const place = { community_id: hidden.id, user_id: cyd.user_id };
      for (const asking of [
        () => listBans(own.ctx, bob, { community_id: hidden.id, limit: 1 }),
        () => findBan(own.ctx, bob, place),
        () => setBan(own.ctx, bob, place),
        () => liftBan(own.ctx, bob, place),
      ]) {
        expect(await failureOf(asking())).toEqual(new NotFoundError());
      }
      // A ban of one community is none of another.
      expect(await failureOf(findBan(own.ctx, ada, place))).toEqual(new NotFoundError());
    });

    test('[BA5] a ban removes what was posted in the time that it names, in the background', async () => {
      const id = await garden();
      const { bob, cyd } = people;
      const nowMs = own.clock.unixMs();
      await ban(id, bob, cyd, { delete_seconds: 60 });
      const job = await own.database.reader
        .selectFrom('jobs')
        .select('payload')
        .where('kind', '=', 'remove-recent')
        .executeTakeFirstOrThrow();
      const removed: RecentContents[] = [];
      const ctx = own.ctx;
      const kind = removeRecent(ctx, [async (_ctx, recent) => void removed.push(recent)]);
      await kind.run(kind.parse(JSON.parse(job.payload)), anAttempt);
      const { user_id: userId } = cyd;
      const times = { sinceMs: nowMs - 60_000, untilMs: nowMs };
      expect(removed).toMatchObject([{ communityId: id, userId, ...times }]);
    });

    test('[BA6] nobody who is banned is a member, even if they join at the same time', async () => {
      const id = await garden();
      const { ada, bob, dan } = people;
      const place = { community_id: id, user_id: dan.user_id };
      const { code } = await createCommunityInvite(own.ctx, ada, { community_id: id });
      for (let each = 0; each < 8; each += 1) {
        const way = each % 2 === 0 ? join(id, dan) : useInvite(own.ctx, dan, { code });
        await Promise.allSettled(
          each % 4 < 2 ? [way, ban(id, bob, dan)] : [ban(id, bob, dan), way],
        );
        expect(await failureOf(findMember(own.ctx, ada, place))).toEqual(new NotFoundError());
        await liftBan(own.ctx, bob, place);
      }
      expect((await findCommunity(own.ctx, ada, { id })).member_count).toBe(3);
    });
  });
});

const anAttempt = { id: 'a', number: 1, signal: new AbortController().signal };
