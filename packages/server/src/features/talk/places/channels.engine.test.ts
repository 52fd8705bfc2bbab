import { ForbiddenError } from '@hearth/protocol';
import { communityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { changeMember } from '../../communities/members/change-member.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { turningInChannel } from './channels.ts';
import { CHANNELS } from './places.ts';

onEachDatabase((open) => {
  test('[CM1] what somebody does in a channel is still required in the transaction, whether the channel was changed or not', async () => {
    await using own = await communityTest(open);
    const [ada, bob] = [await own.person('ada'), await own.person('bob')];
    const { id, channels } = await own.garden(ada, { visibility: 'public' });
    await joinCommunity(own.ctx, bob, { community_id: id });
    const failure = new ForbiddenError({ code: 'not_member' });
    let isRefused = false;
    const turning = await turningInChannel(own.ctx, bob, {
      channelId: channels[0]?.id ?? id,
      requires() {
        if (isRefused) throw failure;
      },
    });
    const still = () =>
      failureOf(own.ctx.database.transaction((tx) => CHANNELS.still(tx, own.ctx, turning)));
    expect(await still()).toBeUndefined();
    isRefused = true;
    expect(await still()).toBe(failure);
    await changeMember(own.ctx, ada, { community_id: id, user_id: bob.user_id, role_ids: [] });
    expect(await still()).toBe(failure);
  });
});
