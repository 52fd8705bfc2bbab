import {
  ConflictError,
  NotFoundError,
  UnauthorizedError,
  type NewCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANYONE, type Account } from '../../../actor.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { findChannel } from '../channels/list-channels.ts';
import { setOverwrite } from '../channels/set-overwrite.ts';
import { joinCommunity } from '../members/join-community.ts';
import { leaveCommunity } from '../members/leave-community.ts';
import { ALL_PERMISSIONS } from '../../accounts/users/staff-permissions.ts';
import { createCommunity } from './create-community.ts';
import { findCommunity, findCommunityBySlug } from './find-community.ts';
import { listOwnCommunities, showOwnCommunity } from './list-own-communities.ts';

const PRIVATE = { name: 'Garden', kind: 'both', visibility: 'private' } as const;

onEachDatabase((open) => {
  describe('communities', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let made = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const garden = (input: Partial<NewCommunity> = {}): NewCommunity => ({
      ...PRIVATE,
      slug: `garden-${(made += 1)}`,
      ...input,
    });

    test('[CO2] the person who makes a community is its owner and first member, and it has a first channel', async () => {
      const given = garden({ description: 'Roses' });
      const shown = await createCommunity(own.ctx, ada, given);
      const { membership, roles, channels, permissions, ...community } = shown;
      expect<unknown>(community).toEqual({
        id: community.id,
        ...given,
        join: 'invite',
        owner_id: ada.user_id,
        member_count: 1,
        created_at: own.clock.unixMs(),
        version: 1,
      });
      expect(membership).toEqual({ role_ids: [], joined_at: own.clock.unixMs(), version: 1 });
      expect(permissions).toHaveLength(31);
      expect(roles).toMatchObject([{ id: community.id, name: 'everyone', position: 0 }]);
      expect(channels).toMatchObject([{ kind: 'messages', name: 'general', position: 0 }]);
      expect(await findCommunity(own.ctx, ada, { id: community.id })).toEqual(community);
      const slug = given.slug.toUpperCase();
      expect(await findCommunityBySlug(own.ctx, ada, { slug })).toEqual(community);
    });

    test('somebody who has gained sight of a channel is shown what it is like by a process that does not know it yet', async () => {
      const { id } = await createCommunity(own.ctx, ada, garden({ visibility: 'public' }));
      await joinCommunity(own.ctx, bob, { community_id: id });
      const hidden = await createChannel(own.ctx, ada, {
        ...{ community_id: id, kind: 'messages', name: 'hidden' },
        overwrites: [{ id, kind: 'role', allow: [], deny: ['VIEW'] }],
      });
      await using outdated = await own.another({ isDeaf: true });
      const look = () => findChannel(outdated, bob, hidden);
      expect(await failureOf(look())).toBeInstanceOf(NotFoundError);
      await setOverwrite(own.ctx, ada, {
        ...{ id: hidden.id, subject_id: bob.user_id, kind: 'member' },
        ...{ allow: ['VIEW'], deny: [] },
      });
      expect(await look()).toMatchObject({ id: hidden.id });
      // What the process knows lets him in, and is outdated.
      await changeChannel(own.ctx, ada, { id: hidden.id, topic: 'Herbs' });
      expect(await look()).toMatchObject({ topic: 'Herbs' });
    });

    test('[CO3] a private community exists for its members only, and a public one for everyone', async () => {
      const hidden = await createCommunity(own.ctx, ada, garden());
      const park = await createCommunity(own.ctx, ada, garden({ visibility: 'public' }));
      expect(park.join).toBe('open');
      for (const actor of [bob, ANYONE]) {
        const found = await Promise.allSettled([
          findCommunity(own.ctx, actor, { id: hidden.id }),
          findCommunityBySlug(own.ctx, actor, { slug: hidden.slug }),
          findCommunityBySlug(own.ctx, actor, { slug: 'nowhere' }),
        ]);
        const errors = found.map((each) => (each.status === 'rejected' ? each.reason : each.value));
        expect(errors).toEqual(Array(3).fill(new NotFoundError()));
        expect((await findCommunity(own.ctx, actor, { id: park.id })).slug).toBe(park.slug);
      }
    });

    test('[CO11] members read their communities as they see them, the one joined first first', async () => {
      const fay = await own.person('fay');
      const park = async () =>
        (await createCommunity(own.ctx, ada, garden({ visibility: 'public' }))).id;
      const [first, second, left] = [await park(), await park(), await park()];
      for (const id of [second, left, first]) {
        await joinCommunity(own.ctx, fay, { community_id: id });
        own.clock.advance(1);
      }
      await createChannel(own.ctx, ada, {
        community_id: second,
        kind: 'messages',
        name: 'staff',
        overwrites: [{ id: second, kind: 'role', allow: [], deny: ['VIEW'] }],
      });
      await leaveCommunity(own.ctx, fay, { community_id: left });
      const listed = await listOwnCommunities(own.ctx, fay);
      expect(listed.map(({ id }) => id)).toEqual([second, first]);
      expect(listed).toMatchObject([
        { member_count: 2, channels: [{ name: 'general' }], roles: [{ name: 'everyone' }] },
        { member_count: 2, membership: { role_ids: [] } },
      ]);
      for (const each of listed) {
        expect(await showOwnCommunity(own.ctx, fay, { id: each.id })).toEqual(each);
      }
      expect((await showOwnCommunity(own.ctx, ada, { id: second })).channels).toHaveLength(2);
      const hidden = await createCommunity(own.ctx, ada, garden());
      for (const id of [left, hidden.id, hidden.channels[0]?.id ?? left]) {
        const shown = showOwnCommunity(own.ctx, fay, { id });
        expect(await failureOf(shown)).toEqual(new NotFoundError());
      }
    });

    test('[CO10] visitors read a public community, unless the instance is for people with an account', async () => {
      const { id } = await createCommunity(own.ctx, ada, garden({ visibility: 'unlisted' }));
      const staff = { ...bob, staff_permissions: ALL_PERMISSIONS };
      const hidden = await createCommunity(own.ctx, ada, garden());
      expect(await failureOf(findCommunity(own.ctx, staff, { id: hidden.id }))).toEqual(
        new NotFoundError(),
      );
      expect((await findCommunity(own.ctx, ANYONE, { id })).id).toBe(id);
      const ctx = { ...own.ctx, settings: { ...own.ctx.settings, lobby: 'accounts' as const } };
      expect(await failureOf(findCommunity(ctx, ANYONE, { id }))).toBeInstanceOf(UnauthorizedError);
      expect((await findCommunity(ctx, bob, { id })).id).toBe(id);
    });

    test('[CO4] a single one of several communities that are made at once with one slug exists afterwards', async () => {
      const input = garden();
      const results = await Promise.allSettled(
        [ada, bob, ada, bob].map((person) => createCommunity(own.ctx, person, input)),
      );
      const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toEqual(Array(3).fill(expect.any(ConflictError)));
    });
  });
});
