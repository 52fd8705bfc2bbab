import {
  channelStream,
  communityStream,
  hasPermission,
  PERMISSIONS,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../channels/create-channel.ts';
import { orderChannels } from '../channels/order-channels.ts';
import { setOverwrite } from '../channels/set-overwrite.ts';
import { accessTo, permissionsIn } from '../structure/access.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { findAudiences } from './find-audiences.ts';
import { streamsOf } from './streams-of.ts';

onEachDatabase((open) => {
  describe('audiences', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Returns what somebody follows, as REST decides what they see. */
    async function expected(actor: Account, { id }: OwnCommunity): Promise<string[]> {
      const access = await accessTo(own.ctx, actor, id);
      const seen = access.community.channelById
        .values()
        .filter(({ isRestricted }) => isRestricted)
        .filter((channel) => hasPermission(PERMISSIONS, permissionsIn(access, channel), 'VIEW'));
      return [communityStream(id), ...seen.map((channel) => channelStream(channel.id))].toSorted();
    }

    /** Returns what somebody follows, as it is read for the gateway, in both ways. */
    async function found({ user_id: user }: Account, { id }: OwnCommunity): Promise<string[][]> {
      const readings = [
        await findAudiences(own.ctx, [user, eve.user_id]),
        await findAudiences(own.ctx, [user], [id]),
      ];
      return readings.map(({ communities, members }) => {
        const community = communities.get(id);
        const member = members.get(user)?.find(({ communityId }) => communityId === id);
        if (community === undefined || member === undefined) return [];
        return streamsOf(community, member)
          .filter((stream) => !stream.startsWith('m:'))
          .toSorted();
      });
    }

    test('[GC1][GC2] the streams are those of the channels that somebody sees, also because of a category or without VIEW', async () => {
      const garden = await own.garden(ada, { visibility: 'public' });
      const [first] = garden.channels;
      if (first === undefined) throw new Error('there is no channel');
      const newChannel = (name: string, kind: 'category' | 'messages' = 'messages') =>
        createChannel(own.ctx, ada, { community_id: garden.id, kind, name });
      const category = await newChannel('category', 'category');
      const [inside, alone] = [await newChannel('inside'), await newChannel('alone')];
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      const role = await createRole(own.ctx, ada, {
        ...{ community_id: garden.id, name: 'role', permissions: [] },
        ...{ hoisted: false, mentionable: false, self_assignable: false },
      });
      const check = async () => {
        for (const person of [ada, bob]) {
          const streams = await expected(person, garden);
          expect(await found(person, garden)).toEqual([streams, streams]);
        }
        return await expected(bob, garden);
      };
      expect(await check()).toEqual([communityStream(garden.id)]);
      await orderChannels(own.ctx, ada, {
        community_id: garden.id,
        order: [
          { id: first.id },
          { id: alone.id },
          { id: category.id },
          { id: inside.id, category_id: category.id },
        ],
      });
      const overwrite = (id: Id, subject_id: Id, allow: boolean) =>
        setOverwrite(own.ctx, ada, {
          ...{ id, subject_id, kind: 'role' },
          ...(allow ? { allow: ['VIEW'], deny: [] } : { allow: [], deny: ['VIEW'] }),
        });
      await overwrite(category.id, garden.id, false);
      expect(await check()).toHaveLength(1);
      await overwrite(category.id, role.id, true);
      await changeMember(own.ctx, ada, {
        ...{ community_id: garden.id, user_id: bob.user_id, role_ids: [role.id] },
      });
      expect(await check()).toContain(channelStream(inside.id));
      await overwrite(inside.id, role.id, false);
      expect(await check()).not.toContain(channelStream(inside.id));
      const change = { community_id: garden.id, role_id: garden.id };
      await changeRole(own.ctx, ada, { ...change, permissions: ['SEND_MESSAGES'] });
      await overwrite(alone.id, garden.id, true);
      const streams = await check();
      expect(streams).not.toContain(channelStream(first.id));
      expect(streams).toContain(communityStream(garden.id));
      expect((await found(eve, garden)).flat()).toEqual([]);
    });
  });
});
