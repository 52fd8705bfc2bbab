import {
  ForbiddenError,
  type Id,
  type NewRole,
  type OwnCommunity,
  type Permission,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { reasonOf } from '@hearth/testing/reason-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../channels/create-channel.ts';
import { deleteChannel } from '../channels/change-channel.ts';
import { findChannel } from '../channels/list-channels.ts';
import { orderChannels } from '../channels/order-channels.ts';
import { removeOverwrite, setOverwrite } from '../channels/set-overwrite.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { useInvite } from '../community-invites/use-invite.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { findMember } from '../members/list-members.ts';
import { changeRole } from './change-role.ts';
import { createRole } from './create-role.ts';
import { deleteRole } from './delete-role.ts';

interface Masks {
  readonly allow?: Permission[];
  readonly deny?: Permission[];
}

onEachDatabase((open) => {
  describe('what is handed out', () => {
    let own: CommunityTest;
    let ada: Account;
    let max: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    /** The role of max, and a role below it. */
    let mod: Id;
    let low: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      max = await own.person('max');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      general = garden.channels[0]?.id ?? garden.id;
      for (const person of [max, bob]) {
        await joinCommunity(own.ctx, person, { community_id: garden.id });
      }
      mod = await role(['MANAGE_ROLES', 'MANAGE_CHANNELS', 'PIN']);
      await give(ada, max, [mod]);
      low = await role([]);
    });

    const NEW_ROLE = {
      name: 'gardeners',
      hoisted: false,
      mentionable: false,
      self_assignable: false,
    } as const;

    /** Makes a role below all others. */
    async function role(permissions: Permission[], input: Partial<NewRole> = {}): Promise<Id> {
      const made = { community_id: garden.id, ...NEW_ROLE, permissions, ...input };
      return (await createRole(own.ctx, ada, made)).id;
    }
    const change = (
      actor: Account,
      role_id: Id,
      input: Omit<Parameters<typeof changeRole>[2], 'community_id' | 'role_id'>,
    ) => changeRole(own.ctx, actor, { community_id: garden.id, role_id, ...input });
    const give = (actor: Account, { user_id }: Account, role_ids: Id[]) =>
      changeMember(own.ctx, actor, { community_id: garden.id, user_id, role_ids });
    const channel = async (
      actor: Account,
      input: Partial<Omit<Parameters<typeof createChannel>[2], 'community_id'>> = {},
    ) => {
      const made = { kind: 'messages', name: 'herbs', ...input } as const;
      return (await createChannel(own.ctx, actor, { community_id: garden.id, ...made })).id;
    };
    const forRole = (id: Id, { allow = [], deny = [] }: Masks) => {
      return { id, kind: 'role' as const, allow, deny };
    };
    const forEveryone = (masks: Masks) => forRole(garden.id, masks);
    /** A channel that only those see who have a role. */
    const secretFor = (id: Id, allow: Permission[] = ['VIEW']) =>
      channel(ada, { overwrites: [forEveryone({ deny: ['VIEW'] }), forRole(id, { allow })] });

    test('[CO20] nobody gives a role, to others or to themselves, with a permission that they lack', async () => {
      const [strong, admin] = [await role(['BAN']), await role(['ADMINISTRATOR'])];
      const pinning = await role(['PIN']);
      expect(await reasonOf(give(max, bob, [strong]))).toBe('BAN');
      expect(await reasonOf(give(max, max, [mod, strong]))).toBe('BAN');
      expect(await reasonOf(give(max, bob, [admin]))).toBe('ADMINISTRATOR');
      expect(await reasonOf(give(max, max, [mod, admin]))).toBe('ADMINISTRATOR');
      expect((await give(max, bob, [pinning])).role_ids).toEqual([pinning]);
      // It may stay if somebody else has given it.
      await give(ada, bob, [pinning, strong]);
      expect((await give(max, bob, [strong])).role_ids).toEqual([strong]);
    });

    test('[CO20][CO20b] nobody gives a role that may do in a channel what they may not do there', async () => {
      const key = await role([]);
      const secret = await secretFor(key);
      expect(await reasonOf(give(max, max, [mod, key]))).toBe('VIEW');
      expect(await reasonOf(give(max, bob, [key]))).toBe('VIEW');
      await setOverwrite(own.ctx, ada, {
        ...{ id: secret, subject_id: mod, kind: 'role' },
        ...{ allow: ['VIEW'], deny: [] },
      });
      expect((await give(max, bob, [key])).role_ids).toEqual([key]);
      expect(await findChannel(own.ctx, bob, { id: secret })).toMatchObject({ id: secret });
    });

    test('[CO20] nobody makes a role self-assignable that has more than they do, as a whole or in a channel', async () => {
      const [strong, key] = [await role(['KICK']), await role([])];
      await secretFor(key);
      expect(await reasonOf(change(max, strong, { self_assignable: true }))).toBe('KICK');
      expect(await reasonOf(change(max, key, { self_assignable: true }))).toBe('VIEW');
      expect(await change(max, low, { self_assignable: true })).toMatchObject({
        self_assignable: true,
      });
      await change(ada, key, { self_assignable: true });
      // What somebody who may has offered is taken by everyone, and stays so when its name changes.
      expect((await give(bob, bob, [key])).role_ids).toEqual([key]);
      expect(await change(max, key, { name: 'keys', self_assignable: true })).toMatchObject({
        name: 'keys',
      });
    });

    test('[CO20][CO20a] nobody gives the everyone role a permission that they lack, or takes one from it', async () => {
      const everyone = garden.roles[0]?.permissions ?? [];
      const set = (permissions: Permission[]) => change(max, garden.id, { permissions });
      expect(await reasonOf(set([...everyone, 'MENTION_ALL']))).toBe('MENTION_ALL');
      const fewer = everyone.filter((name) => name !== 'VOTE');
      expect((await set(fewer)).permissions).toEqual(fewer);
      // Nobody has it by then.
      expect(await reasonOf(set([...everyone]))).toBe('VOTE');
    });

    test('[CO20] who gives a role with an invite has what it has, when it is made and when it is used', async () => {
      const [strong, key] = [await role(['BAN']), await role([])];
      const secret = await secretFor(key);
      const invite = (role_ids: Id[]) =>
        createCommunityInvite(own.ctx, max, { community_id: garden.id, role_ids });
      expect(await reasonOf(invite([strong]))).toBe('BAN');
      expect(await reasonOf(invite([key]))).toBe('VIEW');
      await setOverwrite(own.ctx, ada, {
        ...{ id: secret, subject_id: max.user_id, kind: 'member' },
        ...{ allow: ['VIEW'], deny: [] },
      });
      const { code } = await invite([key, low]);
      await removeOverwrite(own.ctx, ada, { id: secret, subject_id: max.user_id });
      const guest = await own.person(`guest-${garden.id}`);
      const { membership } = await useInvite(own.ctx, guest, { code });
      expect(membership.role_ids).toEqual([low]);
    });

    test('[CO20][CO20a] nobody takes a role off others, or deletes one, that denies in a channel what they may not do there', async () => {
      const muted = await role([]);
      const talk = await channel(ada, {
        overwrites: [
          forRole(muted, { deny: ['SEND_MESSAGES'] }),
          forRole(mod, { deny: ['SEND_MESSAGES'] }),
        ],
      });
      await give(ada, bob, [muted]);
      const remove = () => deleteRole(own.ctx, max, { community_id: garden.id, role_id: muted });
      expect(await reasonOf(give(max, bob, []))).toBe('SEND_MESSAGES');
      expect(await reasonOf(remove())).toBe('SEND_MESSAGES');
      await removeOverwrite(own.ctx, ada, { id: talk, subject_id: mod });
      expect((await give(max, bob, [])).role_ids).toEqual([]);
      expect(await reasonOf(remove())).toBeUndefined();
    });

    test('[CO20] a role that gives somebody permissions is deleted, and taken off them', async () => {
      const helper = await role(['SEND_MESSAGES', 'PIN']);
      await give(ada, bob, [helper, low]);
      await deleteRole(own.ctx, ada, { community_id: garden.id, role_id: helper });
      expect(
        (await findMember(own.ctx, ada, { community_id: garden.id, user_id: bob.user_id }))
          .role_ids,
      ).toEqual([low]);
    });

    describe('by a category', () => {
      /** A category in which only its owner writes, and which everyone sees. */
      let quiet: Id;
      const QUIET: Masks = { deny: ['SEND_MESSAGES'] };

      beforeEach(async () => {
        quiet = await channel(ada, { kind: 'category', overwrites: [forEveryone(QUIET)] });
      });

      const order = async (actor: Account, places: readonly { id: Id; category_id?: Id }[]) =>
        orderChannels(own.ctx, actor, { community_id: garden.id, order: [...places] });

      test('[CH9] nobody moves a channel so that others gain or lose what they may not do there', async () => {
        const news = await channel(ada, { category_id: quiet });
        const out = [{ id: general }, { id: quiet }, { id: news }];
        expect(await reasonOf(order(max, out))).toBe('SEND_MESSAGES');
        const into = [
          { id: general, category_id: quiet },
          { id: quiet },
          { id: news, category_id: quiet },
        ];
        // They may write there, so they may end that.
        expect(await order(max, into)).toHaveLength(3);
        expect(await reasonOf(order(max, out))).toBe('SEND_MESSAGES');
        const same = await channel(ada, { kind: 'category', overwrites: [forEveryone(QUIET)] });
        const across = [
          { id: quiet },
          { id: same },
          { id: general, category_id: same },
          { id: news, category_id: same },
        ];
        expect(await order(max, across)).toHaveLength(4);
      });

      test('[CH9] nobody deletes a category that denies its channels what they may not do there', async () => {
        await channel(ada, { category_id: quiet });
        expect(await reasonOf(deleteChannel(own.ctx, max, { id: quiet }))).toBe('SEND_MESSAGES');
        const open_ = await channel(ada, { kind: 'category', name: 'shelf' });
        expect(await reasonOf(deleteChannel(own.ctx, max, { id: open_ }))).toBeUndefined();
      });

      describe('in a channel that hides from them', () => {
        /** A category that only those see who have the role of max, and a channel in it that hides from them. */
        let staff: Id;
        let secret: Id;
        const sees = async (person: Account) =>
          (await failureOf(findChannel(own.ctx, person, { id: secret }))) === undefined;

        beforeEach(async () => {
          const overwrites = [forEveryone({ deny: ['VIEW'] }), forRole(mod, { allow: ['VIEW'] })];
          staff = await channel(ada, { kind: 'category', overwrites });
          const hiding = [forRole(mod, { deny: ['VIEW'] })];
          secret = await channel(ada, { category_id: staff, overwrites: hiding });
        });

        test('[CH3][CH3b][CH9] nobody shows it to others by its category', async () => {
          const set = (subject_id: Id, masks: Masks) =>
            setOverwrite(own.ctx, max, { ...forRole(subject_id, masks), id: staff, subject_id });
          for (const opening of [
            () => set(garden.id, { allow: ['VIEW'] }),
            () => set(low, { allow: ['VIEW'] }),
            () => removeOverwrite(own.ctx, max, { id: staff, subject_id: garden.id }),
            () => deleteChannel(own.ctx, max, { id: staff }),
          ]) {
            expect(await reasonOf(opening())).toBe('VIEW');
          }
          expect(await sees(bob)).toBe(false);
          // What does not reach into it may change.
          await set(low, { allow: ['PIN'] });
          await setOverwrite(own.ctx, ada, {
            ...forEveryone({ deny: ['VIEW'] }),
            ...{ id: secret, subject_id: garden.id },
          });
          await set(garden.id, { allow: ['VIEW'] });
          expect(await sees(bob)).toBe(false);
        });

        test('[CO20] nobody gives a role that sees it by its category', async () => {
          await setOverwrite(own.ctx, ada, {
            ...forRole(low, { allow: ['VIEW'] }),
            ...{ id: staff, subject_id: low },
          });
          expect(await reasonOf(give(max, bob, [low]))).toBe('VIEW');
          expect(await reasonOf(change(max, low, { self_assignable: true }))).toBe('VIEW');
          await setOverwrite(own.ctx, ada, {
            ...forEveryone({ deny: ['VIEW'] }),
            ...{ id: secret, subject_id: garden.id },
          });
          await give(max, bob, [low]);
          expect(await sees(bob)).toBe(false);
        });
      });

      test('[CH3][CH3a] nobody allows in a new channel what its category denies them', async () => {
        const allowing = { overwrites: [forEveryone({ allow: ['SEND_MESSAGES'] })] };
        expect(await reasonOf(channel(max, { ...allowing, category_id: quiet }))).toBe(
          'SEND_MESSAGES',
        );
        expect(await reasonOf(channel(max, allowing))).toBeUndefined();
      });

      test('[CH9][CH9a] a category that the caller does not see is answered like one that does not exist', async () => {
        const overwrites = [forEveryone({ deny: ['VIEW'] })];
        const hidden = await channel(ada, { kind: 'category', overwrites });
        const absent = await own.ctx.ids.next();
        const made = (category_id: Id) => failureOf(channel(max, { category_id }));
        expect(await made(hidden)).not.toBeInstanceOf(ForbiddenError);
        expect(await made(hidden)).toEqual(await made(absent));
        const moved = (category_id: Id) =>
          failureOf(order(max, [{ id: general, category_id }, { id: quiet }]));
        expect(await moved(hidden)).toEqual(await moved(absent));
      });
    });
  });
});
