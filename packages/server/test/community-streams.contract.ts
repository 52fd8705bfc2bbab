import {
  channelMessageSchema,
  channelSchema,
  ownCommunitySchema,
  readStateListSchema,
  roleSchema,
  commentSchema,
  postSchema,
} from '@hearth/protocol/schemas';
import {
  type Channel,
  type Id,
  type OwnCommunity,
  type Permission,
  type Role,
} from '@hearth/protocol';
import { AccountClient, type Places } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';

type Addressed = Pick<TestInstance, 'addresses'>;

/** An instance through each of its gateways, at least one. */
export interface Stage extends AsyncDisposable {
  readonly gateways: readonly [Addressed, ...Addressed[]];
}

const watchedBy = ({ payloads }: AccountClient) =>
  payloads.filter((payload) => payload.op === 'WATCHED');

type Person = Awaited<ReturnType<typeof RestPerson.register>>;

const anything = z.unknown();
const EVERYONE_SEES_NOT = { kind: 'role', allow: [], deny: ['VIEW'] } as const;

/** Defines which streams of communities clients follow, with any engines. */
export function communityStreamsContract(
  name: string,
  open: () => Promise<Stage>,
  { skip = false } = {},
) {
  describe.skipIf(skip)(`streams of communities, ${name}`, () => {
    let stage: Stage;
    let ada: Person;
    let bob: Person;
    let eve: Person;
    let made = 0;
    beforeAll(async () => {
      stage = await open();
      const [at] = stage.gateways;
      [ada, bob, eve] = await Promise.all([
        RestPerson.register(at, 'ada'),
        RestPerson.register(at, 'bob'),
        RestPerson.register(at, 'eve'),
      ]);
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    /** The instance through another gateway each time, if there are several. */
    let turns = 0;
    const gateway = (): Addressed => {
      turns += 1;
      return stage.gateways[turns % stage.gateways.length] ?? stage.gateways[0];
    };
    const enter = ({ token }: Person, resume?: Places) =>
      AccountClient.enter(gateway(), { token, ...(resume && { resume }) });
    /** A community of Ada that everyone may join. */
    const garden = (): Promise<OwnCommunity> => {
      made += 1;
      return ada.garden(`garden-${made}`, { visibility: 'public' });
    };
    const path = ({ id }: { readonly id: Id }) => `/communities/${id}`;
    const join = (who: Person, community: OwnCommunity) =>
      who.ok(ownCommunitySchema, 'PUT', `${path(community)}/members/me`);
    const leave = (who: Person, community: OwnCommunity) =>
      who.ok(anything, 'DELETE', `${path(community)}/members/me`);
    const newRole = (
      community: OwnCommunity,
      permissions: readonly Permission[] = [],
    ): Promise<Role> =>
      ada.ok(roleSchema, 'POST', `${path(community)}/roles`, { name: 'role', permissions });
    const give = (community: OwnCommunity, who: Person, role_ids: readonly Id[]) =>
      ada.ok(anything, 'PATCH', `${path(community)}/members/${who.id}`, { role_ids });
    /** A channel that only the owner and those with a role see. */
    const hidden = (community: OwnCommunity, role: Role): Promise<Channel> =>
      ada.ok(channelSchema, 'POST', `${path(community)}/channels`, {
        ...{ kind: 'messages', name: 'hidden' },
        overwrites: [
          { ...EVERYONE_SEES_NOT, id: community.id },
          { id: role.id, kind: 'role', allow: ['VIEW'], deny: [] },
        ],
      });
    /** Something that happens in the stream of a channel. */
    const touch = ({ id }: { readonly id: Id }, topic = 'new') =>
      ada.ok(channelSchema, 'PATCH', `/channels/${id}`, { topic });
    const firstOf = ({ channels: [channel] }: OwnCommunity) => {
      if (channel === undefined) throw new Error('it has no channel');
      return channel;
    };
    /** Returns what a client was sent of a stream after READY: opcodes, and the notices. */
    const sent = (client: AccountClient, stream: string): string[] =>
      client.payloads.flatMap((payload) => {
        if ('t' in payload) return payload.t === stream ? [payload.op] : [];
        const isNotice = payload.op === 'STREAM_OPEN' || payload.op === 'STREAM_CLOSE';
        return isNotice && payload.d.stream === stream ? [payload.op] : [];
      });
    const until = (client: AccountClient, stream: string, op: string, count = 1) =>
      client.raw.until(() => sent(client, stream).filter((each) => each === op).length >= count);

    test('[GC1][GC2] READY has the communities of the user with what they see, and the streams of these', async () => {
      const community = await garden();
      const role = await newRole(community);
      const channel = await hidden(community, role);
      await join(bob, community);
      using owner = await enter(ada);
      using member = await enter(bob);
      using stranger = await enter(eve);
      const { id } = community;
      const streamsOf = (client: AccountClient) =>
        Object.keys(client.one('READY').d.streams).filter(
          (stream) => stream.includes(id) || stream.includes(channel.id),
        );
      const shown = (client: AccountClient) =>
        client.one('READY').d.communities?.find((each) => each.id === id);
      expect(streamsOf(owner)).toEqual([`c:${id}`, `r:${channel.id}`, `m:${id}`]);
      expect(streamsOf(member)).toEqual([`c:${id}`]);
      expect([streamsOf(stranger), shown(stranger)]).toEqual([[], undefined]);
      expect(shown(owner)?.channels.map((each) => each.id)).toContain(channel.id);
      expect(shown(member)).toEqual(
        await bob.ok(ownCommunitySchema, 'GET', `/users/me${path(community)}`),
      );
      expect(shown(member)?.channels.map((each) => each.id)).toEqual([firstOf(community).id]);
    });

    test('[RD12] every device is sent what another one reads and chooses, and READY has all of it', async () => {
      const community = await garden();
      const channel = firstOf(community);
      await join(bob, community);
      using client = await enter(bob);
      const posting = { content: 'good evening' };
      const posts = `/channels/${channel.id}/messages`;
      const { id } = await ada.ok(channelMessageSchema, 'POST', posts, posting);
      const last_read_id = id;
      const state = { channel_id: channel.id, last_read_id, mentions: 0 };
      const choice = { channel_id: channel.id, level: 'none' as const };
      await bob.ok(anything, 'PUT', `/channels/${channel.id}/read`, { last_read_id });
      await bob.ok(anything, 'PUT', `/channels/${channel.id}/notifications`, { level: 'none' });
      await client.until('NOTIFICATION_SETTING_UPDATE');
      const own = `u:${bob.id}`;
      expect(client.one('READ_UPDATE')).toMatchObject({ t: own, d: state });
      expect(client.one('NOTIFICATION_SETTING_UPDATE')).toMatchObject({ t: own, d: choice });
      using next = await enter(bob);
      const { read_states, notification_settings } = next.one('READY').d;
      expect(read_states).toContainEqual(state);
      expect(notification_settings).toContainEqual(choice);
      expect(read_states).toEqual(
        await bob.ok(readStateListSchema, 'GET', '/users/me/read-states'),
      );
    });

    test('[GC4][GC4a] a person who joins is sent the streams of the community, and one who leaves what came before', async () => {
      const community = await garden();
      const role = await newRole(community, ['KICK']);
      const channel = await hidden(community, role);
      const [open, own, moderators] = [`c:${community.id}`, `r:${channel.id}`, `m:${community.id}`];
      using client = await enter(bob);
      using other = await enter(bob);
      using owner = await enter(ada);
      await join(bob, community);
      for (const each of [client, other]) await until(each, open, 'STREAM_OPEN');
      await give(community, bob, [role.id]);
      for (const stream of [own, moderators]) {
        for (const each of [client, other]) await until(each, stream, 'STREAM_OPEN');
      }
      await touch(channel);
      await touch(firstOf(community));
      await leave(bob, community);
      await touch(channel, 'late');
      await touch(firstOf(community), 'late');
      for (const each of [client, other]) {
        for (const stream of [open, own, moderators]) await until(each, stream, 'STREAM_CLOSE');
        await each.ping();
        const opened = ['STREAM_OPEN', 'CHANNEL_UPDATE', 'STREAM_CLOSE'];
        expect([sent(each, open), sent(each, own)]).toEqual([opened, opened]);
        expect(sent(each, moderators)).toEqual(['STREAM_OPEN', 'STREAM_CLOSE']);
      }
      await until(owner, own, 'CHANNEL_UPDATE', 2);
      expect(sent(owner, own)).toEqual(['CHANNEL_UPDATE', 'CHANNEL_UPDATE']);
    });

    test('[GC4] a community that is deleted ends for all members, and one that is restored begins again', async () => {
      const community = await garden();
      const role = await newRole(community, ['KICK']);
      const channel = await hidden(community, role);
      const streams = [`c:${community.id}`, `r:${channel.id}`, `m:${community.id}`];
      await join(bob, community);
      await give(community, bob, [role.id]);
      using client = await enter(bob);
      expect(Object.keys(client.one('READY').d.streams)).toEqual(expect.arrayContaining(streams));
      const proof = { current_password: PASSWORD, slug: community.slug };
      await ada.ok(anything, 'DELETE', path(community), proof);
      for (const stream of streams) await until(client, stream, 'STREAM_CLOSE');
      using later = await enter(bob);
      expect(later.one('READY').d.communities?.map(({ id }) => id)).not.toContain(community.id);
      await ada.ok(anything, 'POST', `${path(community)}/restore`);
      for (const each of [client, later]) {
        for (const stream of streams) await until(each, stream, 'STREAM_OPEN');
      }
      await touch(channel);
      for (const each of [client, later]) await until(each, `r:${channel.id}`, 'CHANNEL_UPDATE');
    });

    test('[GC5] a channel that is restricted and a role that is taken move clients between the streams', async () => {
      const community = await garden();
      const [role, other] = [await newRole(community), await newRole(community)];
      const channel = firstOf(community);
      const [open, own] = [`c:${community.id}`, `r:${channel.id}`];
      for (const who of [bob, eve]) await join(who, community);
      await give(community, bob, [role.id, other.id]);
      using seeing = await enter(bob);
      using unseeing = await enter(eve);
      const overwrite = (id: Id, body: object) =>
        ada.ok(anything, 'PUT', `/channels/${channel.id}/overwrites/${id}`, body);
      for (const { id } of [role, other])
        await overwrite(id, { kind: 'role', allow: ['VIEW'], deny: [] });
      await overwrite(community.id, EVERYONE_SEES_NOT);
      await until(seeing, own, 'STREAM_OPEN');
      await touch(channel);
      await until(seeing, own, 'CHANNEL_UPDATE');
      // One of two roles is taken by an overwrite: the access is decided again, and nothing is lost.
      await ada.ok(anything, 'DELETE', `/channels/${channel.id}/overwrites/${other.id}`);
      await touch(channel, 'newer');
      await until(seeing, own, 'CHANNEL_UPDATE', 3);
      await give(community, bob, [other.id]);
      await touch(channel, 'late');
      await until(seeing, own, 'STREAM_CLOSE');
      await ada.ok(anything, 'DELETE', `/channels/${channel.id}/overwrites/${community.id}`);
      await until(seeing, open, 'CHANNEL_CREATE');
      await touch(channel, 'open');
      await until(unseeing, open, 'CHANNEL_CREATE');
      await until(unseeing, open, 'CHANNEL_UPDATE', 3);
      const updates = Array(3).fill('CHANNEL_UPDATE');
      expect(sent(seeing, own)).toEqual(['STREAM_OPEN', ...updates, 'STREAM_CLOSE']);
      expect(sent(unseeing, own)).toEqual([]);
      expect(sent(unseeing, open).filter((op) => op !== 'CHANNEL_UPDATE')).toEqual([
        'CHANNEL_DELETE',
        'CHANNEL_CREATE',
      ]);
    });

    test('[CO17][CO18] the streams of a deleted community end for everyone, and begin again when it is restored', async () => {
      const community = await garden();
      const role = await newRole(community);
      const channel = await hidden(community, role);
      const [open, own] = [`c:${community.id}`, `r:${channel.id}`];
      await join(bob, community);
      await join(eve, community);
      await give(community, bob, [role.id]);
      using owner = await enter(ada);
      using seeing = await enter(bob);
      using plain = await enter(eve);
      const proof = { current_password: PASSWORD };
      await ada.ok(anything, 'DELETE', path(community), { ...proof, slug: community.slug });
      for (const client of [owner, seeing, plain]) {
        await until(client, open, 'STREAM_CLOSE');
        // A gateway that knows it from the database first sends no event.
        const ops = sent(client, open).filter((op) => op !== 'COMMUNITY_DELETE');
        expect(ops).toEqual(['STREAM_CLOSE']);
        expect(sent(client, open).at(-1)).toBe('STREAM_CLOSE');
      }
      for (const client of [owner, seeing]) await until(client, own, 'STREAM_CLOSE');
      using late = await enter(bob);
      expect(late.one('READY').d.communities?.map(({ id }) => id)).not.toContain(community.id);

      await ada.ok(anything, 'POST', `${path(community)}/restore`);
      for (const client of [owner, seeing, plain, late]) {
        await until(client, open, 'STREAM_OPEN');
        await client.until('COMMUNITY_CREATE');
      }
      for (const client of [owner, seeing, late]) await until(client, own, 'STREAM_OPEN');
      await touch(firstOf(community));
      for (const client of [owner, seeing, plain, late])
        await until(client, open, 'CHANNEL_UPDATE');
      expect(sent(plain, own)).toEqual([]);

      // Who hands it over sees no more than their roles let them.
      await ada.ok(anything, 'PUT', `${path(community)}/owner`, { ...proof, user_id: eve.id });
      await until(plain, own, 'STREAM_OPEN');
      await until(owner, own, 'STREAM_CLOSE', 2);
      await until(owner, open, 'COMMUNITY_UPDATE');
    });

    test('[GC6][GC7] a client continues all of its streams, loses what its user may not see any more, and gets READY if a community does not continue', async () => {
      const community = await garden();
      const role = await newRole(community);
      const channel = await hidden(community, role);
      const [open, own] = [`c:${community.id}`, `r:${channel.id}`];
      await join(bob, community);
      await give(community, bob, [role.id]);
      const before = await enter(bob);
      await touch(channel);
      await until(before, own, 'CHANNEL_UPDATE');
      const { places } = before;
      before[Symbol.dispose]();
      await touch(channel, 'missed');
      await touch(firstOf(community), 'missed');
      for (const at of stage.gateways) {
        using back = await AccountClient.enter(at, { token: bob.token, resume: places });
        const { recovered, lost, streams } = back.one('RESUMED').d;
        expect(new Set(recovered)).toEqual(new Set(Object.keys(places)));
        expect([lost, streams[own], streams[open]]).toEqual([[], places[own], places[open]]);
        await until(back, own, 'CHANNEL_UPDATE');
        await until(back, open, 'CHANNEL_UPDATE');
      }
      await give(community, bob, []);
      using without = await enter(bob, places);
      expect(without.one('RESUMED').d.lost).toEqual([own]);
      expect(without.one('RESUMED').d.streams[own]).toBeUndefined();
      const { [open]: _, ...others } = places;
      using unknown = await enter(bob, others);
      expect(unknown.one('READY').d.recovered).not.toContain(open);
      expect(unknown.one('READY').d.communities?.map(({ id }) => id)).toContain(community.id);
      await leave(bob, community);
      using gone = await enter(bob, places);
      expect(gone.one('RESUMED').d.lost.toSorted()).toEqual([open, own].toSorted());
      await touch(firstOf(community), 'later');
      await gone.ping();
      expect(sent(gone, open)).toEqual([]);
    });

    /** Sends WATCH, and resolves with what is watched then. */
    const watch = async (client: AccountClient, d: object) => {
      const before = watchedBy(client).length;
      client.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
      await client.raw.until(() => watchedBy(client).length > before);
      const { channels, communities, posts, users } = watchedBy(client).at(-1)?.d ?? {};
      const online = communities?.map((each) => [
        each.id,
        each.online.map(({ user }) => user.username).toSorted(),
      ]);
      return { channels, communities: online, posts, users };
    };
    const typeIn = (who: Person, { id }: { readonly id: Id }) =>
      who.ok(anything, 'POST', `/channels/${id}/typing`);
    const opsOf = (client: AccountClient, op: string) =>
      client.payloads.filter((payload) => payload.op === op);

    test('[GC9][GC10] those who watch a channel that they see are sent who writes there, and nobody else', async () => {
      const community = await garden();
      const role = await newRole(community);
      const [general, secret] = [firstOf(community), await hidden(community, role)];
      for (const who of [bob, eve]) await join(who, community);
      await give(community, bob, [role.id]);
      using writer = await enter(ada);
      using seeing = await enter(bob);
      using unseeing = await enter(eve);
      using idle = await enter(bob);
      const channels = [general.id, secret.id, '1', 'x', '999999999999999999'];
      const all = { channels, communities: ['7', community.id], posts: ['1'], users: [bob.id] };
      const nothing = { posts: [], users: [] };
      const shown = await watch(seeing, all);
      expect(shown.channels).toEqual([general.id, secret.id]);
      expect([shown.posts, shown.users]).toEqual([[], []]);
      expect((await watch(unseeing, { channels })).channels).toEqual([general.id]);
      expect(await watch(writer, { channels })).toEqual({
        ...nothing,
        channels: [general.id, secret.id],
        communities: [],
      });
      for (const channel of [general, secret, general]) await typeIn(ada, channel);
      await seeing.raw.until(() => opsOf(seeing, 'TYPING').length === 2);
      await unseeing.raw.until(() => opsOf(unseeing, 'TYPING').length === 1);
      const { id, username } = { id: ada.id, username: 'ada' };
      expect(opsOf(unseeing, 'TYPING')).toMatchObject([
        { op: 'TYPING', d: { channel_id: general.id, user: { id, username } } },
      ]);
      // A person who loses the channel is sent no more of it, though it is still watched.
      await give(community, bob, []);
      await until(seeing, `r:${secret.id}`, 'STREAM_CLOSE');
      const other = await newRole(community);
      await give(community, eve, [role.id, other.id]);
      await typeIn(eve, secret);
      await typeIn(eve, general);
      await seeing.raw.until(() => opsOf(seeing, 'TYPING').length === 3);
      expect(opsOf(seeing, 'TYPING').slice(2)).toMatchObject([{ d: { channel_id: general.id } }]);
      await watch(seeing, {});
      await typeIn(bob, general);
      await unseeing.raw.until(() => opsOf(unseeing, 'TYPING').length === 2);
      await seeing.ping();
      expect([opsOf(seeing, 'TYPING').length, opsOf(idle, 'TYPING')]).toEqual([3, []]);
      expect(await bob.refusal('POST', `/channels/${secret.id}/typing`)).toEqual([404]);
    });

    test('[CT1][GC10][GC10a] those who watch a post that they see are sent its comments, and nobody else', async () => {
      const community = await garden();
      const role = await newRole(community);
      const place = `${path(community)}/channels`;
      const open = await ada.ok(channelSchema, 'POST', place, { kind: 'posts', name: 'open' });
      const secret = await ada.ok(channelSchema, 'POST', place, {
        ...{ kind: 'posts', name: 'secret' },
        overwrites: [
          { ...EVERYONE_SEES_NOT, id: community.id },
          { id: role.id, kind: 'role', allow: ['VIEW'], deny: [] },
        ],
      });
      const postIn = ({ id }: { readonly id: Id }) =>
        ada.ok(postSchema, 'POST', `/channels/${id}/posts`, { title: 'Roses' });
      const [seen, unseen] = [await postIn(open), await postIn(secret)];
      await join(bob, community);
      using watcher = await enter(bob);
      using idle = await enter(bob);
      const posts = [unseen.id, seen.id, '1', 'x'];
      expect((await watch(watcher, { posts })).posts).toEqual([seen.id]);
      const comment = (post: { readonly id: Id }, content: string) =>
        ada.ok(commentSchema, 'POST', `/posts/${post.id}/comments`, { content });
      await comment(unseen, 'Hush');
      const first = await comment(seen, 'Good evening');
      await ada.ok(anything, 'DELETE', `/comments/${first.id}`);
      await watcher.raw.until(() => opsOf(watcher, 'COMMENT_DELETE').length === 1);
      expect(opsOf(watcher, 'COMMENT_CREATE')).toMatchObject([
        { d: { id: first.id, content: 'Good evening', comment_count: 1 } },
      ]);
      expect(opsOf(watcher, 'COMMENT_DELETE')).toMatchObject([
        { d: { post_id: seen.id, id: first.id, comment_count: 0 } },
      ]);
      await watch(watcher, {});
      await comment(seen, 'Unheard');
      await watcher.ping();
      await idle.ping();
      expect(opsOf(watcher, 'COMMENT_CREATE')).toHaveLength(1);
      expect(opsOf(idle, 'COMMENT_CREATE')).toEqual([]);
    });

    test('[GC11][GC12] those who watch a community are sent who is there, and who comes, changes and goes', async () => {
      const community = await garden();
      await join(bob, community);
      using watcher = await enter(ada);
      using _bob = await enter(bob);
      const first = await watch(watcher, { communities: [community.id] });
      expect(first.communities).toEqual([[community.id, ['ada', 'bob']]]);
      using member = await enter(eve);
      await join(eve, community);
      await watcher.until('MEMBER_CREATE');
      expect(opsOf(watcher, 'MEMBER_CREATE')).toMatchObject([
        { d: { user: { username: 'eve' }, community_id: community.id } },
      ]);
      await eve.ok(anything, 'PATCH', `${path(community)}/members/${eve.id}`, {
        nickname: 'Evelyn',
      });
      await watcher.until('MEMBER_UPDATE');
      expect(opsOf(watcher, 'MEMBER_UPDATE')).toMatchObject([{ d: { nickname: 'Evelyn' } }]);
      await until(member, `c:${community.id}`, 'STREAM_OPEN');
      await leave(eve, community);
      await watcher.until('MEMBER_DELETE');
      expect(opsOf(watcher, 'MEMBER_DELETE')).toMatchObject([
        { d: { community_id: community.id, user_id: eve.id } },
      ]);
      expect(opsOf(member, 'MEMBER_DELETE')).toEqual([]);
    });

    test('[GC20] those who watch communities are sent once what everyone sees of a member, and that an account has ended', async () => {
      const [one, other, apart] = [await garden(), await garden(), await garden()];
      const zoe = await RestPerson.register(stage.gateways[0], `zoe-${made}`);
      for (const community of [one, other]) await join(zoe, community);
      using watcher = await enter(ada);
      using visitor = await AccountClient.enter(gateway());
      using stranger = await enter(eve);
      using own = await enter(zoe);
      for (const client of [watcher, visitor, own]) {
        await watch(client, { communities: [one.id, other.id] });
      }
      await watch(stranger, { communities: [apart.id] });
      const news = ({ payloads }: AccountClient) =>
        payloads.flatMap((each) => (each.op === 'USER_UPDATE' && !('t' in each) ? [each.d] : []));
      await zoe.ok(anything, 'PATCH', '/users/me', { settings: { theme: 'dark' } });
      await zoe.ok(anything, 'PATCH', '/users/me', { display_name: 'Zoe', bio: 'Gardener' });
      const proof = { current_password: PASSWORD, content: 'keep' };
      await zoe.ok(anything, 'DELETE', '/users/me', proof);
      for (const client of [watcher, visitor]) {
        await client.raw.until(() => news(client).length >= 2);
        await client.ping();
        expect(news(client)).toMatchObject([
          { id: zoe.id, username: `zoe-${made}`, display_name: 'Zoe', bio: 'Gardener' },
          { id: zoe.id, username: 'deleted', deleted: true },
        ]);
        expect(Object.keys(news(client)[1] ?? {}).toSorted()).toEqual([
          'deleted',
          'id',
          'username',
        ]);
        expect(JSON.stringify(news(client))).not.toContain('settings');
      }
      await touch(firstOf(apart));
      await until(stranger, `c:${apart.id}`, 'CHANNEL_UPDATE');
      expect([news(stranger), news(own)]).toEqual([[], []]);
    });

    test('[GC11][GC11a][GC13] a public community is followed while it is watched, also by guests, and a private one never is', async () => {
      const community = await garden();
      const secret = await ada.garden(`secret-${made}`);
      const open = `c:${community.id}`;
      using guest = await AccountClient.enter(gateway());
      using account = await enter(bob);
      using _owner = await enter(ada);
      for (const client of [guest, account]) {
        const shown = await watch(client, {
          communities: [secret.id, community.id],
          channels: [firstOf(community).id],
        });
        expect(shown.communities).toEqual([[community.id, []]]);
        expect(shown.channels).toEqual([firstOf(community).id]);
      }
      await touch(firstOf(community));
      for (const client of [guest, account]) await until(client, open, 'CHANNEL_UPDATE');
      await join(bob, community);
      const role = await newRole(community, ['KICK']);
      await give(community, bob, [role.id]);
      // Now the gateway knows that he is a member.
      await until(account, `m:${community.id}`, 'STREAM_OPEN');
      await watch(account, {});
      await watch(guest, {});
      await touch(firstOf(community), 'later');
      await until(account, open, 'CHANNEL_UPDATE', 2);
      await guest.ping();
      expect(sent(guest, open)).toEqual([
        'STREAM_OPEN',
        'CHANNEL_UPDATE',
        'ROLE_CREATE',
        'STREAM_CLOSE',
      ]);
      expect(sent(account, open)).toEqual([
        'STREAM_OPEN',
        'CHANNEL_UPDATE',
        'ROLE_CREATE',
        'CHANNEL_UPDATE',
      ]);
      for (const client of [guest, account]) expect(sent(client, `c:${secret.id}`)).toEqual([]);
      using other = await enter(eve);
      for (const client of [guest, other]) await watch(client, { communities: [community.id] });
      await ada.ok(anything, 'PATCH', path(community), { visibility: 'private', join: 'invite' });
      await touch(firstOf(community), 'hidden');
      await until(account, open, 'CHANNEL_UPDATE', 3);
      for (const client of [guest, other]) {
        await until(client, open, 'STREAM_CLOSE', client === guest ? 2 : 1);
        await client.ping();
        expect(sent(client, open).slice(-2)).toEqual(['STREAM_OPEN', 'STREAM_CLOSE']);
      }
      expect(sent(account, open).slice(4)).toEqual(['COMMUNITY_UPDATE', 'CHANNEL_UPDATE']);
    });

    test('[GC10][GC10b] a client that sends very many WATCH is answered for the last one, and watches no more than it may', async () => {
      const community = await garden();
      using client = await enter(ada);
      const channels = [
        ...Array(2_000).fill(firstOf(community).id),
        ...Array(200).keys().map(String),
      ];
      for (let count = 0; count < 300; count += 1) {
        client.raw.sendText(JSON.stringify({ op: 'WATCH', d: { communities: [String(count)] } }));
      }
      const d = { channels: channels.slice(0, 1_500), communities: Array(9).fill(community.id) };
      client.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
      await client.raw.until(() => watchedBy(client).at(-1)?.d.channels.length === 1);
      await client.ping();
      expect(watchedBy(client).length).toBeLessThan(300);
      const { channels: shown, communities } = watchedBy(client).at(-1)?.d ?? {};
      expect([shown, communities?.map(({ id }) => id)]).toEqual([
        [firstOf(community).id],
        [community.id],
      ]);
    });
  });
}
