import {
  firstMark,
  NotFoundError,
  PERMISSIONS,
  readPermissions,
  UnauthorizedError,
  type Id,
} from '@hearth/protocol';
import { AccountClient, type Places } from '@hearth/testing/clients/account-client';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { indexSearch } from '@hearth/testing/instances/index-search';
import { freePorts } from '@hearth/testing/free-ports';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { TokenHolder } from '../../../authentication.ts';
import { Gateway } from '../../../components/gateway/gateway.ts';
import { clientResolver } from '../../../http/client-address.ts';
import { gatewayParts } from '../../../lists/gateway-parts.ts';
import { memoryBus } from '../../../ports/bus/memory.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { insertTurn } from '../../platform/turns/turns.ts';
import { changeChannelMessage } from '../messages/change-message.ts';
import { deleteChannelMessage } from '../messages/delete-message.ts';
import { eraseChannelMessages } from '../messages/erase-messages.ts';
import { listChannelMessages } from '../messages/list-messages.ts';
import { listPins, pinMessage } from '../messages/pins.ts';
import { postMessage } from '../messages/post-message.ts';
import { addChannelReaction } from '../messages/react.ts';
import { NamedFiles } from '../../files/uploads/uploads.ts';
import { search } from '../../search/search/search.ts';
import { listNotificationSettings } from '../notification-settings/find-settings.ts';
import { setChannelNotifications } from '../notification-settings/set-notifications.ts';
import { listNotifications } from '../notifications/list-notifications.ts';
import { markNotifications } from '../notifications/mark-notifications.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { listReadStates } from '../read-states/find-read-states.ts';
import { markChannel } from '../read-states/mark-channel.ts';
import { showTyping } from '../typing/show-typing.ts';
import { LOBBY_ID, type PlaceAccess, type PlaceKind } from './places.ts';

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The people of a pair were changed. */
    pairs: true;
    /** A pair has one person more, or less; the id names the pair and the person. */
    pair_people: true;
  }
}

/** The permissions of two people among themselves. */
const PERMITTED = readPermissions(PERMISSIONS, ['VIEW', 'SEND_MESSAGES', 'REACT', 'PIN']);

/** An account that is there lets its person write. */
const ACCOUNT = `join users on users.id = given.guard_user_id and given.guard_version = 1`;

/** Places of two people, which no feature knows. */
function pairs(peopleIn: ReadonlyMap<Id, readonly Id[]>, notifies = true): PlaceKind {
  const isIn = (id: Id, userId: Id) => peopleIn.get(id)?.includes(userId) === true;
  const readerAs = (userId: Id) => ({ subjects: [userId], sinceMs: 0 });
  const place = (id: Id) => ({ id, stream: `d:${id}`, communityId: '' as const });
  const kind: PlaceKind = {
    followed: {
      prefix: 'd:',
      changes: { whole: 'pairs', part: 'pair_people' },
      async read(_, { users, ids = [...peopleIn.keys()] }) {
        const seatOf = (id: Id) => {
          const home = `d:${id}`;
          return { home, roles: [], streams: [home], mayBeLost: true } as const;
        };
        const seatsOf = (user: Id) => ids.filter((id) => isIn(id, user)).map(seatOf);
        return { seats: new Map(users.map((user) => [user, seatsOf(user)])) };
      },
    },
    notifies,
    mayHave: (id) => id !== LOBBY_ID,
    find(_, actor, id) {
      const userId = actor.kind === 'account' ? actor.user_id : undefined;
      if (userId === undefined || !isIn(id, userId)) throw new NotFoundError();
      const kept = { kind: 'messages', slowModeSeconds: 0, version: 1, isDeleted: false } as const;
      return {
        place: { ...place(id), ...kept },
        of: kind,
        permissions: PERMITTED,
        timedOutUntilMs: 0,
        guard: { join: ACCOUNT, placeId: id, userId, version: 1 },
      };
    },
    async now(_, __, all) {
      return new Map(all.map((turning) => [turning, { access: turning.access }]));
    },
    async still() {},
    readerOf: ({ guard }) => guard && readerAs(guard.userId),
    async seeing(_, access: PlaceAccess, userIds) {
      const people = new Set(peopleIn.get(access.place.id));
      return new Set(userIds.filter((id) => people.has(id)));
    },
    own: async () => (userId) => ({
      communityIds: [],
      subjects: [userId],
      readerIn: ({ channelId }) => (isIn(channelId, userId) ? readerAs(userId) : undefined),
    }),
    visible: async (_, things) => things.filter((each) => isIn(each.channelId, each.userId)),
    async read(_, __, id) {
      return peopleIn.has(id) ? place(id) : undefined;
    },
  };
  return kind;
}

/** A gateway that is sent what was emitted. Tokens are the ids of people. */
async function openGateway(
  own: CommunityTest,
  opened: InstanceContext,
  people: readonly Account[],
) {
  const bus = memoryBus({ ids: opened.ids, journaled: 'lobby', keep: () => {} });
  const holders = new Map<string, TokenHolder>(
    people.map(({ user_id: userId, is_bot: isBot, credential, staff_permissions }) => [
      userId,
      { userId, isBot, credential, staffPermissions: staff_permissions, countedAs: userId },
    ]),
  );
  const check = (token: string) => {
    const holder = holders.get(token);
    if (holder === undefined) throw new UnauthorizedError('token_invalid');
    return holder;
  };
  const ctx = { ...opened, bus, authentication: { check } };
  const [port = 0] = await freePorts(1);
  const gateway = await Gateway.follow(ctx, {
    ...{ hostname: '127.0.0.1', port, clientOf: clientResolver([]) },
    limits: { admitted: 100, refused: 10 },
    features: gatewayParts(ctx),
  });
  gateway.listen();
  const addresses = { ...ctx.addresses, gateway: `ws://127.0.0.1:${port}` };
  return {
    bus,
    enter: ({ user_id: token }: Account, resume?: Places) =>
      AccountClient.enter({ addresses }, { token, ...(resume && { resume }) }),
    async publish() {
      for (const { stream, event } of await own.emitted()) {
        if (event !== undefined) await bus.publish({ stream, event });
      }
    },
    [Symbol.asyncDispose]: () => gateway.stop(),
  };
}

onEachDatabase((open) => {
  describe('a place of a kind that only this test knows', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let channel_id: Id;
    const peopleIn = new Map<Id, readonly Id[]>();

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = { ...own.ctx, places: [...own.ctx.places, pairs(peopleIn)] };
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      channel_id = await ctx.ids.next();
      peopleIn.set(channel_id, [ada.user_id, bob.user_id]);
      await own.database.transaction(({ sql }) => insertTurn(sql, channel_id));
      await own.emitted();
      ctx.unsentNotifications.take(Infinity);
    });

    const contents = async (reader: Account) => {
      const range = { before: undefined, after: undefined, around: undefined, limit: 100 };
      const messages = await listChannelMessages(ctx, reader, { channel_id, ...range });
      return messages.toReversed().map(({ content }) => content);
    };

    const events = async () =>
      (await own.emitted()).map(({ stream, event }) => ({ stream, op: event?.op }));

    test('[CM1] messages are posted there together, changed, pinned, reacted to and deleted, and sent in its stream', async () => {
      const hello = { channel_id, content: 'Hello @bob and @eve', nonce: 'one' };
      const [first] = await Promise.all([1, 2].map(() => postMessage(ctx, ada, hello)));
      if (first === undefined) throw new Error('nothing was posted');
      const second = await postMessage(ctx, bob, { channel_id, content: 'Hello' });
      // Eve does not see the place.
      expect(first.mentions?.map(({ username }) => username)).toEqual(['bob']);
      const reply_to = first.id;
      const { id } = await postMessage(ctx, bob, { channel_id, content: 'Yes, @ada', reply_to });
      await changeChannelMessage(ctx, ada, { channel_id, id: first.id, content: 'Good evening' });
      await addChannelReaction(ctx, bob, { channel_id, id: first.id, emoji: '🌱' });
      await pinMessage(ctx, bob, { channel_id, id: first.id });
      await deleteChannelMessage(ctx, bob, { channel_id, id: second.id });
      await showTyping(ctx, ada, { channel_id });
      expect(await contents(bob)).toEqual(['Good evening', 'Yes, @ada']);
      expect((await listPins(ctx, ada, { channel_id })).map((each) => each.id)).toEqual([first.id]);
      const sent = await events();
      expect(new Set(sent.map(({ stream }) => stream))).toEqual(new Set([`d:${channel_id}`]));
      expect(sent.map(({ op }) => op)).toEqual([
        'MESSAGE_CREATE',
        'MESSAGE_CREATE',
        'MESSAGE_CREATE',
        'MESSAGE_UPDATE',
        'REACTION_ADD',
        'PIN_ADD',
        'MESSAGE_DELETE',
      ]);
      const mark = (reader: Account, last_read_id: Id, unread?: true) =>
        markChannel(ctx, reader, { channel_id, last_read_id, ...(unread && { unread }) });
      // Bob has read what he wrote himself.
      expect(await mark(bob, first.id)).toEqual({ channel_id, last_read_id: id, mentions: 0 });
      const { mentions, ...state } = await mark(ada, second.id);
      expect([state, mentions]).toEqual([{ channel_id, last_read_id: second.id }, 1]);
      expect(await failureOf(mark(eve, id))).toBeInstanceOf(NotFoundError);
    });

    test('[SE1] its people find what is said there', async () => {
      await postMessage(ctx, ada, { channel_id, content: 'The plums are ripe' });
      const find = async (reader: Account) => {
        const namedFiles = new NamedFiles({ database: ctx.database, fileAddresses: [] });
        const query = { kind: 'messages', q: 'plums', limit: 50, in: channel_id } as const;
        const { found } = await search({ ...ctx, namedFiles }, reader, query);
        return found.map(({ content }) => content);
      };
      await indexSearch(ctx);
      expect(await find(bob)).toEqual(['The plums are ripe']);
      expect(await failureOf(find(eve))).toBeInstanceOf(NotFoundError);
    });

    test('[RD15][RD22] its people are notified of what names them there or replies to them, until it is read or deleted', async () => {
      const notified = async (reader: Account) => {
        const found = await listNotifications(ctx, reader, { limit: 100 });
        const here = found.filter((each) => each.channel_id === channel_id);
        return here.map(({ id, kind, excerpt, read = false }) => ({ id, kind, excerpt, read }));
      };
      const sent = async () => {
        await sendNotifications(ctx, ctx.unsentNotifications.take(Infinity));
        return (await own.emitted()).flatMap(({ stream, event }) =>
          event?.op === 'NOTIFICATION_CREATE' ? [{ stream, d: event.d }] : [],
        );
      };
      const first = await postMessage(ctx, ada, { channel_id, content: 'Hello @bob and @eve' });
      const mention = { id: first.id, kind: 'mention', excerpt: 'Hello @bob and @eve' } as const;
      expect(await notified(bob)).toEqual([{ ...mention, read: false }]);
      const d = { id: first.id, kind: 'mention', channel_id, message_id: first.id };
      expect(await sent()).toMatchObject([{ stream: `u:${bob.user_id}`, d }]);
      const answer = { channel_id, content: 'Good evening', reply_to: first.id };
      const { id } = await postMessage(ctx, bob, answer);
      expect(await notified(bob)).toEqual([{ ...mention, read: true }]);
      const reply = { id, kind: 'reply', excerpt: 'Good evening' } as const;
      expect(await notified(ada)).toEqual([{ ...reply, read: false }]);
      await markNotifications(ctx, ada, { last_read_id: id });
      expect(await notified(ada)).toEqual([{ ...reply, read: true }]);
      expect(await notified(eve)).toEqual([]);
      // Who does not see the place any more is sent nothing, and finds nothing.
      peopleIn.set(channel_id, [bob.user_id]);
      expect([await sent(), await notified(ada)]).toEqual([[], []]);
      await deleteChannelMessage(ctx, bob, { channel_id, id });
      peopleIn.set(channel_id, [ada.user_id, bob.user_id]);
      expect(await notified(ada)).toEqual([]);
    });

    test('[RD15] a kind can keep what is said in its places from the notifications', async () => {
      const quiet = { ...ctx, places: [...own.ctx.places, pairs(peopleIn, false)] };
      await postMessage(quiet, ada, { channel_id, content: 'Hello @bob' });
      const found = await listNotifications(quiet, bob, { limit: 100 });
      expect(found.filter((each) => each.channel_id === channel_id)).toEqual([]);
    });

    test('[RD8][RD11] its marks, with the mentions there, and what its people choose to be notified of are listed', async () => {
      const { id } = await postMessage(ctx, ada, { channel_id, content: 'Hello @bob' });
      const state = { channel_id, last_read_id: firstMark(0), mentions: 1 };
      expect(await listReadStates(ctx, bob)).toContainEqual(state);
      expect(await listReadStates(ctx, ada)).toContainEqual({
        channel_id,
        last_read_id: id,
        mentions: 0,
      });
      await own.emitted();
      const setting = { channel_id, level: 'none' } as const;
      expect(await setChannelNotifications(ctx, bob, setting)).toEqual(setting);
      const updated = { op: 'NOTIFICATION_SETTING_UPDATE', d: setting } as const;
      expect((await own.emitted()).map(({ event }) => event)).toEqual([updated]);
      expect(await listNotificationSettings(ctx, bob)).toContainEqual(setting);
      expect(await failureOf(setChannelNotifications(ctx, eve, setting))).toBeInstanceOf(
        NotFoundError,
      );
      peopleIn.set(channel_id, [ada.user_id]);
      const listed = [await listReadStates(ctx, bob), await listNotificationSettings(ctx, bob)];
      expect(listed.flat().filter((each) => each.channel_id === channel_id)).toEqual([]);
    });

    test('[GP6][GP7][GP9] its people follow its stream, and continue it after they were away; others are sent nothing of it', async () => {
      await using gateway = await openGateway(own, ctx, [ada, bob, eve]);
      const stream = `d:${channel_id}`;
      const say = async (content: string) => {
        await postMessage(ctx, ada, { channel_id, content });
        await gateway.publish();
      };
      await say('Hello @bob');
      const created = (first: number, last: number) =>
        Array.from(
          { length: last - first + 1 },
          (_, at) => ['MESSAGE_CREATE', first + at] as const,
        );
      using adas = await gateway.enter(ada);
      using bobs = await gateway.enter(bob);
      using eves = await gateway.enter(eve);
      const { read_states, streams } = bobs.one('READY').d;
      const state = { channel_id, last_read_id: firstMark(0), mentions: 1 };
      expect(read_states).toContainEqual(state);
      expect(streams[stream]?.[1]).toBe(1);
      expect(eves.one('READY').d.streams).not.toHaveProperty(stream);
      await say('Good evening');
      await Promise.all([adas.until('MESSAGE_CREATE'), bobs.until('MESSAGE_CREATE')]);
      const { places } = bobs;
      bobs[Symbol.dispose]();
      await say('Are you there?');
      await say('Well');
      using back = await gateway.enter(bob, places);
      await back.until('MESSAGE_CREATE', 2);
      expect(back.one('RESUMED').d).toMatchObject({
        lost: [],
        streams: { [stream]: places[stream] },
      });
      expect([adas, back].map((each) => each.eventsOf(stream))).toEqual([
        created(2, 4),
        created(3, 4),
      ]);
      // What cannot be continued is lost, and everything else goes on.
      using elsewhere = await gateway.enter(bob, { ...places, [stream]: ['another', 2] });
      expect(elsewhere.one('RESUMED').d.lost).toEqual([stream]);
      // Eve comes and goes.
      const setPeople = async (...people: readonly Account[]) => {
        peopleIn.set(
          channel_id,
          people.map((each) => each.user_id),
        );
        await ctx.database.transaction(async (tx) => {
          tx.changed('pair_people', `${channel_id} ${eve.user_id}`);
        });
      };
      await setPeople(ada, bob, eve);
      await eves.until('STREAM_OPEN');
      await say('Welcome');
      await eves.until('MESSAGE_CREATE');
      await setPeople(ada, bob);
      await gateway.bus.publish({ stream, end: { user: eve.user_id } });
      await eves.until('STREAM_CLOSE');
      await say('Bye');
      await adas.until('MESSAGE_CREATE', 5);
      await eves.ping();
      expect([adas, eves].map((each) => each.eventsOf(stream))).toEqual([
        created(2, 6),
        created(5, 5),
      ]);
    });

    test('[CM1] others do not know that it exists, and what its people wrote goes with their accounts', async () => {
      await postMessage(ctx, ada, { channel_id, content: 'Between us' });
      await postMessage(ctx, bob, { channel_id, content: 'Indeed' });
      const posted = failureOf(postMessage(ctx, eve, { channel_id, content: 'Hello' }));
      expect(await posted).toBeInstanceOf(NotFoundError);
      expect(await failureOf(contents(eve))).toBeInstanceOf(NotFoundError);
      await events();
      const { signal } = new AbortController();
      const erased = { userId: ada.user_id, username: 'ada', content: 'erase', signal } as const;
      await eraseChannelMessages(ctx, erased);
      expect(await contents(bob)).toEqual(['Indeed']);
      const deleted = { stream: `d:${channel_id}`, op: 'MESSAGE_DELETE_MANY' };
      expect(await events()).toContainEqual(deleted);
    });

    test('[CM1] it is written in one transaction with channels', async () => {
      const { channels } = await own.garden(ada);
      const [general] = channels;
      if (general === undefined) throw new Error('there is no first channel');
      await own.emitted();
      await Promise.all(
        [channel_id, general.id].flatMap((place) =>
          ['One', 'Two'].map((content) => postMessage(ctx, ada, { channel_id: place, content })),
        ),
      );
      expect((await contents(ada)).toSorted()).toEqual(['One', 'Two']);
      expect((await events()).map(({ op }) => op)).toEqual(Array(4).fill('MESSAGE_CREATE'));
    });
  });
});
