import type { ChannelMessage, Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { WRITTEN_NONCE, writingProcess } from '@hearth/testing/instances/writing-process';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { sendStored } from '../notifications/send-notifications.ts';
import { listChannelMessages } from './list-messages.ts';
import { postMessage } from './post-message.ts';

const NAMES = ['ada', 'bob', 'cat', 'dan', 'eve'];

onEachDatabase((open) => {
  describe('messages of a process that is killed', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let ada: Account;
    let garden: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      people = await Promise.all(NAMES.map((name) => own.person(name)));
      const [first, ...others] = people;
      if (first === undefined) throw new Error('there are no people');
      ada = first;
      garden = (await own.garden(ada, { visibility: 'public' })).id;
      for (const other of others) await joinCommunity(own.ctx, other, { community_id: garden });
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** The messages of a channel, the oldest first. */
    const stored = async (channel_id: Id): Promise<readonly ChannelMessage[]> => {
      const all = {
        channel_id,
        before: undefined,
        after: undefined,
        around: undefined,
        limit: 100,
      };
      return (await listChannelMessages(own.ctx, ada, all)).toReversed();
    };

    const eventsOf = async (channel: Id) => {
      const row = await own.database.reader
        .selectFrom('turns')
        .select('number')
        .where('id', '=', channel)
        .executeTakeFirstOrThrow();
      return Number(row.number);
    };

    test.each(['written', 'committed'] as const)(
      '[SC32][CM2][RD22] if a process is killed when messages are %s, repetitions with the same nonces post each of them once, and notify once',
      async (stopsAt) => {
        const given = { community_id: garden, kind: 'messages', name: stopsAt } as const;
        const { id: channel_id } = await createChannel(own.ctx, ada, given);
        const first = await postMessage(own.ctx, ada, { channel_id, content: 'first' });
        const events = await eventsOf(channel_id);
        const { address } = own.database;
        const order = { address, place: channel_id, replyTo: first.id, people, stopsAt } as const;
        await using killed = writingProcess({ ...order, verb: 'message' });
        expect(await killed.says()).toBe(stopsAt);
        await killed.kill();
        const before = await stored(channel_id);
        expect(before).toHaveLength(stopsAt === 'written' ? 1 : 1 + NAMES.length);
        const again = await Promise.all(
          people.map(({ user_id: content }, at) =>
            postMessage(own.ctx, people[at] ?? ada, {
              ...{ channel_id, content, nonce: WRITTEN_NONCE, reply_to: first.id },
            }),
          ),
        );
        const after = await stored(channel_id);
        expect(after).toEqual(expect.arrayContaining([first, ...before, ...again]));
        expect(after.map(({ content }) => content).toSorted()).toEqual(
          ['first', ...people.map(({ user_id: id }) => id)].toSorted(),
        );
        const times = after.map((message) => message.created_at);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(await eventsOf(channel_id)).toBe(events + NAMES.length);
        await sendStored(own.ctx, 100);
        const sent = (await own.sentTo(ada)).filter(({ op }) => op === 'NOTIFICATION_CREATE');
        const replies = after.filter(({ content }) => !['first', ada.user_id].includes(content));
        expect(sent.map(({ d }) => d['id'])).toEqual(replies.map(({ id }) => id));
        const next = await postMessage(own.ctx, ada, { channel_id, content: 'next' });
        expect((await stored(channel_id)).at(-1)).toEqual(next);
      },
    );
  });
});
