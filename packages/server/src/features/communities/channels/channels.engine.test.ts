import {
  type ChannelOrder,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type Id,
  type OwnCommunity,
  type Permission,
  type WrittenOverwrite,
} from '@hearth/protocol';
import { communityTest, type CommunityTest, type Emitted } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { insertTurn } from '../../platform/turns/turns.ts';
import { audienceTest } from '../structure/audience-test.ts';
import { hiddenWith, type Audience } from '../structure/structure.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { leaveCommunity } from '../members/leave-community.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { changeChannel, deleteChannel } from './change-channel.ts';
import { createChannel } from './create-channel.ts';
import { findChannel, listChannels } from './list-channels.ts';
import { orderChannels } from './order-channels.ts';
import { removeOverwrite, setOverwrite } from './set-overwrite.ts';

/** Returns who keeps their access, if others lose it. */
function audienceIn(entries: readonly Emitted[]): Audience | undefined {
  const ends = entries.flatMap(({ end }) => (end !== undefined && 'unless' in end ? [end] : []));
  // Guarantee: this feature announces nothing else.
  return ends[0]?.unless as Audience | undefined;
}

onEachDatabase((open) => {
  describe('channels', () => {
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
      for (const person of [bob, eve]) {
        await joinCommunity(own.ctx, person, { community_id: garden.id });
      }
      await emitted();
    });

    const emitted = () => own.emitted();
    const namesFor = async (actor: Account) =>
      (await listChannels(own.ctx, actor, { community_id: garden.id })).map(({ name }) => name);
    const overwrite = (
      subject_id: Id,
      kind: 'role' | 'member',
      { allow = [], deny = [] }: { allow?: Permission[]; deny?: Permission[] },
    ) => setOverwrite(own.ctx, ada, { id: general, subject_id, kind, allow, deny });

    test('[CH1][CH1a] a channel that becomes restricted leaves the stream of the community, and comes back to it', async () => {
      const restricted = await overwrite(garden.id, 'role', { deny: ['VIEW'] });
      expect(restricted.restricted).toBe(true);
      const note = { hides: hiddenWith(general, garden.id) };
      const d = { id: general, community_id: garden.id };
      const removal = { op: 'CHANNEL_DELETE', d, note };
      expect(await emitted()).toEqual([{ stream: `c:${garden.id}`, event: removal }]);
      expect(await namesFor(bob)).toEqual([]);
      expect(await failureOf(findChannel(own.ctx, bob, { id: general }))).toEqual(
        new NotFoundError(),
      );
      expect(await namesFor(ada)).toEqual(['general']);

      const open_ = await removeOverwrite(own.ctx, ada, { id: general, subject_id: garden.id });
      expect(await emitted()).toEqual([
        { stream: `r:${general}`, event: removal },
        { stream: `r:${general}`, end: { everyone: true } },
        { stream: `c:${garden.id}`, event: { op: 'CHANNEL_CREATE', d: open_ } },
      ]);
      expect(await namesFor(bob)).toEqual(['general']);
    });

    test('[CH2] a change of a role ends the access of those who do not see a restricted channel any more', async () => {
      const role = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name: 'team',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: [],
      });
      for (const person of [bob, eve]) {
        await changeMember(own.ctx, ada, {
          community_id: garden.id,
          user_id: person.user_id,
          role_ids: [role.id],
        });
      }
      await overwrite(garden.id, 'role', { deny: ['VIEW'] });
      await overwrite(bob.user_id, 'member', { allow: ['VIEW'] });
      await changeRole(own.ctx, ada, {
        community_id: garden.id,
        role_id: role.id,
        permissions: ['ADMINISTRATOR'],
      });
      expect(await namesFor(eve)).toEqual(['general']);
      await emitted();
      await changeRole(own.ctx, ada, {
        community_id: garden.id,
        role_id: role.id,
        permissions: [],
      });
      const audience = audienceIn(await emitted());
      if (audience === undefined) throw new Error('no access was ended');
      const roles = [role.id];
      const isInAudience = audienceTest(audience);
      const seen = [ada, bob, eve].map(({ user_id: user }) => isInAudience({ user, roles }));
      expect(seen).toEqual([true, true, false]);
      expect(isInAudience({ user: undefined, roles: [] })).toBe(false);
      expect([await namesFor(bob), await namesFor(eve)]).toEqual([['general'], []]);
      await changeRole(own.ctx, ada, {
        community_id: garden.id,
        role_id: role.id,
        name: 'crew',
        permissions: ['PIN'],
      });
      expect((await emitted()).filter(({ end }) => end !== undefined)).toEqual([]);
      await changeRole(own.ctx, ada, {
        community_id: garden.id,
        role_id: role.id,
        permissions: ['KICK'],
      });
      // Only who is a moderator has changed.
      const ends = (await emitted()).filter(({ end }) => end !== undefined);
      expect(ends.map(({ stream }) => stream)).toEqual([`m:${garden.id}`]);
    });

    test('[CH3][CH3a] overwrites name roles and members below the caller, and permissions that the caller has', async () => {
      const role = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name: 'gardener',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: ['MANAGE_CHANNELS'],
      });
      await changeMember(own.ctx, ada, {
        community_id: garden.id,
        user_id: bob.user_id,
        role_ids: [role.id],
      });
      const byBob = (subject_id: Id, kind: 'role' | 'member', allow: Permission[]) =>
        failureOf(setOverwrite(own.ctx, bob, { id: general, subject_id, kind, allow, deny: [] }));
      expect(await byBob(role.id, 'role', ['REACT'])).toBeInstanceOf(ForbiddenError);
      expect(await byBob(garden.id, 'role', ['KICK'])).toBeInstanceOf(ForbiddenError);
      expect(await byBob(garden.id, 'role', ['MANAGE_ROLES'])).toBeInstanceOf(ValidationError);
      expect(await byBob(ada.user_id, 'member', ['REACT'])).toBeInstanceOf(ForbiddenError);
      expect(await byBob('77' as Id, 'member', ['REACT'])).toBeInstanceOf(ValidationError);
      expect(await byBob(garden.id, 'role', ['REACT'])).toBeUndefined();
      expect(await byBob(eve.user_id, 'member', ['REACT'])).toBeUndefined();
      // Nor are permissions changed that the caller lacks, or given by lifting a denial.
      await overwrite(garden.id, 'role', { allow: ['REACT'], deny: ['KICK'] });
      expect(await byBob(garden.id, 'role', ['REACT'])).toBeInstanceOf(ForbiddenError);
      const removing = () => removeOverwrite(own.ctx, bob, { id: general, subject_id: garden.id });
      expect(await failureOf(removing())).toBeInstanceOf(ForbiddenError);
      await overwrite(garden.id, 'role', { allow: ['REACT'] });
      expect(await failureOf(removing())).toBeUndefined();
      // Of somebody who has left, too.
      await leaveCommunity(own.ctx, eve, { community_id: garden.id });
      await removeOverwrite(own.ctx, bob, { id: general, subject_id: eve.user_id });
      await joinCommunity(own.ctx, eve, { community_id: garden.id });
      const named = (subject: Id, given: Partial<WrittenOverwrite>) =>
        failureOf(
          createChannel(own.ctx, bob, {
            community_id: garden.id,
            kind: 'messages',
            name: 'talk',
            overwrites: [{ id: subject, kind: 'role', allow: [], deny: [], ...given }],
          }),
        );
      expect(await named(role.id, { deny: ['REACT'] })).toBeInstanceOf(ForbiddenError);
      expect(await named('77' as Id, { deny: ['REACT'] })).toBeInstanceOf(ValidationError);
      expect(await named(garden.id, { deny: ['BAN'] })).toBeInstanceOf(ForbiddenError);
      const byEve = {
        id: general,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: [],
      } as const;
      expect(
        await failureOf(setOverwrite(own.ctx, eve, { ...byEve, allow: [], deny: [] })),
      ).toBeInstanceOf(ForbiddenError);
    });

    test('[CH4] channels are ordered within categories, and those of a deleted category stay', async () => {
      const category = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'category',
        name: 'Beds',
      });
      const roses = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'announcements',
        name: 'roses',
        category_id: category.id,
      });
      const order = [
        { id: roses.id },
        { id: category.id },
        { id: general, category_id: category.id },
      ];
      const ordered = await orderChannels(own.ctx, ada, { community_id: garden.id, order });
      expect(ordered.map(({ name, category_id }) => [name, category_id])).toEqual([
        ['roses', undefined],
        ['Beds', undefined],
        ['general', category.id],
      ]);
      for (const wrong of [order.slice(1), [...order, { id: general }]]) {
        const failing = orderChannels(own.ctx, ada, { community_id: garden.id, order: wrong });
        expect(await failureOf(failing)).toBeInstanceOf(ValidationError);
      }
      const shed = await createRole(own.ctx, ada, {
        community_id: garden.id,
        name: 'shed',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: ['MANAGE_CHANNELS'],
      });
      const place = { community_id: garden.id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...place, role_ids: [shed.id] });
      const hide = (id: Id, allow: Permission[], deny: Permission[]) =>
        setOverwrite(own.ctx, ada, { id, subject_id: garden.id, kind: 'role', allow, deny });
      await hide(category.id, [], ['VIEW']);
      await hide(general, ['VIEW'], []);
      const byBob = (given: ChannelOrder['order']) =>
        orderChannels(own.ctx, bob, { community_id: garden.id, order: given });
      // Bob sees neither the category nor that others could be moved there.
      const inHidden = { id: roses.id, category_id: category.id };
      const refused = await failureOf(byBob([{ id: general }, inHidden]));
      expect(refused).toBeInstanceOf(ValidationError);
      const moved = await byBob([{ id: general, category_id: category.id }, { id: roses.id }]);
      expect(moved.map(({ name, category_id }) => [name, category_id])).toEqual([
        ['general', category.id],
        ['roses', undefined],
      ]);
      await byBob([{ id: roses.id }, { id: general, category_id: category.id }]);
      await deleteChannel(own.ctx, ada, { id: category.id });
      const left = await listChannels(own.ctx, bob, { community_id: garden.id });
      expect(left.map(({ name, category_id }) => [name, category_id])).toEqual([
        ['roses', undefined],
        ['general', undefined],
      ]);
      expect(await failureOf(deleteChannel(own.ctx, ada, { id: category.id }))).toEqual(
        new NotFoundError(),
      );
      const renamed = await changeChannel(own.ctx, ada, { id: roses.id, topic: 'Prune in March' });
      expect(renamed).toMatchObject({ topic: 'Prune in March' });
      expect(await failureOf(changeChannel(own.ctx, eve, { id: roses.id }))).toBeInstanceOf(
        ForbiddenError,
      );
    });

    test('[CH7] a channel names its category also to those who do not see that', async () => {
      const make = (kind: 'category' | 'messages', category_id?: Id) =>
        createChannel(own.ctx, ada, {
          ...{ community_id: garden.id, kind, name: kind },
          ...(category_id !== undefined && { category_id }),
        });
      const { id: category_id } = await make('category');
      const { id } = await make('messages', category_id);
      const everyone = { subject_id: garden.id, kind: 'role' } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, id, allow: ['VIEW'], deny: [] });
      const hidden = { ...everyone, id: category_id, allow: [], deny: ['VIEW' as const] };
      await setOverwrite(own.ctx, ada, hidden);
      expect(await findChannel(own.ctx, bob, { id })).toMatchObject({ category_id });
      const unseen = findChannel(own.ctx, bob, { id: category_id });
      expect(await failureOf(unseen)).toEqual(new NotFoundError());
      const listed = await listChannels(own.ctx, bob, { community_id: garden.id });
      expect(listed.map((each) => each.id)).not.toContain(category_id);
    });

    test('[CH6] a category has neither a topic nor a slow mode', async () => {
      const place = { community_id: garden.id, kind: 'category', name: 'cellar' } as const;
      const { id } = await createChannel(own.ctx, ada, { ...place, slow_mode_seconds: 0 });
      for (const field of [{ topic: 'dark' }, { slow_mode_seconds: 5 }]) {
        const refused = { data: { field_name: Object.keys(field)[0] } };
        expect(await failureOf(createChannel(own.ctx, ada, { ...place, ...field }))).toMatchObject(
          refused,
        );
        expect(await failureOf(changeChannel(own.ctx, ada, { id, ...field }))).toMatchObject(
          refused,
        );
      }
      const cleared = { id, name: 'attic', topic: null, slow_mode_seconds: null };
      expect((await changeChannel(own.ctx, ada, cleared)).name).toBe('attic');
    });

    test('[CH5] a community has at most 200 channels and 50 categories', async () => {
      const ids = await Promise.all(Array.from({ length: 199 }, () => own.ctx.ids.next()));
      await own.ctx.database.transaction(async (tx) => {
        const row = await tx.sql
          .selectFrom('channels')
          .selectAll()
          .where('id', '=', general)
          .executeTakeFirstOrThrow();
        const rows = ids.map((id, index) => ({ ...row, id, position: index + 1 }));
        await tx.sql.insertInto('channels').values(rows).execute();
        for (const id of ids) await insertTurn(tx.sql, id);
        tx.changed('communities', garden.id);
      });
      const more = (kind: 'messages' | 'category') =>
        failureOf(createChannel(own.ctx, ada, { community_id: garden.id, kind, name: 'more' }));
      expect(await more('messages')).toBeInstanceOf(ConflictError);
      expect(await more('category')).toBeUndefined();
    });
  });
});
