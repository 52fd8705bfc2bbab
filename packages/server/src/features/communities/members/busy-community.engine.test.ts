import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { setBan } from '../bans/set-ban.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { findOwnCommunity } from './describe-own-community.ts';
import { joinCommunity } from './join-community.ts';
import { removeMember } from './leave-community.ts';

/** More than one transaction writes. */
const JOINS = 150;

onEachDatabase((open) => {
  let own: CommunityTest;
  let ada: Account;
  let bob: Account;
  let eve: Account;
  let garden: Id;
  let talk: Id;

  beforeAll(async () => {
    own = await communityTest(open);
    [ada, bob, eve] = [await own.person('ada'), await own.person('bob'), await own.person('eve')];
    ({ id: garden } = await own.garden(ada, { visibility: 'public', join: 'open' }));
    for (const each of [bob, eve]) await joinCommunity(own.ctx, each, { community_id: garden });
    const channel = { community_id: garden, kind: 'messages', name: 'talk' } as const;
    ({ id: talk } = await createChannel(own.ctx, ada, channel));
  });
  afterAll(() => own[Symbol.asyncDispose]());

  test('[SC31] what moderators do comes before joins that wait, which are written together', async () => {
    const crowd: Account[] = [];
    for (let count = 0; count < JOINS; count += 1) crowd.push(await own.person(`crowd-${count}`));
    const { database } = own.ctx;
    const connections: string[] = [];
    const queues = withQueues({
      ...database,
      transaction: (work, options) => {
        connections.push(options?.connection ?? 'ordinary');
        return database.transaction(work, options);
      },
    });
    // They begin to wait together when all have been read.
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    const arrive = async () => {
      arrived += 1;
      if (arrived === JOINS + 3) all.resolve();
      await all.promise;
    };
    const ctx: InstanceContext = {
      ...own.ctx,
      database: {
        ...queues,
        write: async (...given) => {
          await arrive();
          return await queues.write(...given);
        },
        writeAlone: async (...given) => {
          await arrive();
          return await queues.writeAlone(...given);
        },
      },
    };
    const joining = crowd.map((each) => joinCommunity(ctx, each, { community_id: garden }));
    await Promise.all([
      ...joining,
      removeMember(ctx, ada, { community_id: garden, user_id: bob.user_id }),
      setBan(ctx, ada, { community_id: garden, user_id: eve.user_id }),
      changeChannel(ctx, ada, { id: talk, slow_mode_seconds: 60 }),
    ]);
    expect(connections.filter((each) => each === 'kept')).toHaveLength(3);
    expect(connections.filter((each) => each === 'ordinary')).toHaveLength(2);
    expect(connections.at(-1)).toBe('ordinary');
    const { member_count: count } = await findOwnCommunity(database.reader, ctx, {
      actor: ada,
      id: garden,
    });
    expect(count).toBe(JOINS + 1);
  });
});
