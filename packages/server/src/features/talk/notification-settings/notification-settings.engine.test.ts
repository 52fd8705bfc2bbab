import { ForbiddenError, NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { deleteChannel } from '../../communities/channels/change-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { listNotificationSettings } from './find-settings.ts';
import { setChannelNotifications, setCommunityNotifications } from './set-notifications.ts';

onEachDatabase((open) => {
  describe('notification settings', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let general: Id;
    let inGarden: { readonly community_id: Id };

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      inGarden = { community_id: garden.id };
      general = garden.channels[0]?.id ?? garden.id;
      await joinCommunity(own.ctx, bob, inGarden);
      await sentToBob();
    });

    const channel = (kind: 'messages' | 'category' = 'messages') =>
      createChannel(own.ctx, ada, { ...inGarden, kind, name: 'other' });
    const listed = () => listNotificationSettings(own.ctx, bob);
    const sentToBob = () => own.sentTo(bob);

    test('[RD9][RD9a] a choice replaces the one before, lasts until its time is over, and is sent to every device if it is another one', async () => {
      const muted_until = own.clock.unixMs() + 60_000;
      const choose = (choice: object) =>
        setCommunityNotifications(own.ctx, bob, { ...inGarden, ...choice });
      const muted = { ...inGarden, muted_until };
      expect(await choose({ level: 'all', muted_until })).toEqual({ ...muted, level: 'all' });
      expect(await choose({ muted_until })).toEqual(muted);
      expect(await choose({ muted_until })).toEqual(muted);
      const quiet = { channel_id: general, level: 'none' } as const;
      expect(await setChannelNotifications(own.ctx, bob, quiet)).toEqual(quiet);
      expect(await listed()).toEqual(expect.arrayContaining([muted, quiet]));
      own.clock.advance(60_000);
      expect(await listed()).toEqual([quiet]);
      expect(await choose({ muted_until })).toEqual(inGarden);
      const nothing = { channel_id: general };
      expect(await setChannelNotifications(own.ctx, bob, nothing)).toEqual(nothing);
      expect(await setChannelNotifications(own.ctx, bob, nothing)).toEqual(nothing);
      expect(await listed()).toEqual([]);
      const sent = [{ ...muted, level: 'all' }, muted, quiet, inGarden, nothing];
      expect(await sentToBob()).toEqual(
        sent.map((d) => ({ op: 'NOTIFICATION_SETTING_UPDATE', d })),
      );
    });

    test('[RD10] choices about channels that were deleted or hidden are not shown, and a membership that ends takes its own along', async () => {
      const [hidden, gone] = [await channel(), await channel()];
      const choose = (channel_id: Id) =>
        setChannelNotifications(own.ctx, bob, { channel_id, level: 'all' });
      const count = async () => {
        const rows = await own.database.reader
          .selectFrom('notification_settings')
          .select('channel_id')
          .where('user_id', '=', bob.user_id)
          .execute();
        return rows.length;
      };
      await setCommunityNotifications(own.ctx, bob, { ...inGarden, level: 'none' });
      for (const { id } of [hidden, gone]) await choose(id);
      const everyone = { id: hidden.id, subject_id: garden.id, kind: 'role' } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['VIEW'] });
      await deleteChannel(own.ctx, ada, { id: gone.id });
      expect(await listed()).toEqual([{ ...inGarden, level: 'none' }]);
      expect(await count()).toBe(3);
      await choose(general);
      expect(await count()).toBe(3);
      await leaveCommunity(own.ctx, bob, inGarden);
      expect(await count()).toBe(0);
      expect(await listed()).toEqual([]);
    });

    test('[RD11] only members choose something for what they see', async () => {
      const hidden = await channel();
      const everyone = { id: hidden.id, subject_id: garden.id, kind: 'role' } as const;
      await setOverwrite(own.ctx, ada, { ...everyone, allow: [], deny: ['VIEW'] });
      const closed = await own.garden(ada);
      const eve = await own.person(`eve-${garden.slug}`);
      const inChannel = (actor: Account, channel_id: Id) =>
        failureOf(setChannelNotifications(own.ctx, actor, { channel_id }));
      const inCommunity = (community_id: Id) =>
        failureOf(setCommunityNotifications(own.ctx, eve, { community_id }));
      const category = await channel('category');
      for (const id of [hidden.id, category.id, closed.id]) {
        expect(await inChannel(bob, id)).toEqual(new NotFoundError());
      }
      expect(await inCommunity(closed.id)).toEqual(new NotFoundError());
      const refused = new ForbiddenError({ code: 'not_member' });
      expect(await inChannel(eve, general)).toEqual(refused);
      expect(await inCommunity(garden.id)).toEqual(refused);
    });
  });
});
