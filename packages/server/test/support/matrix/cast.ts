import { sessionAccount } from '@hearth/testing/session-account';
import {
  readPermissions,
  STAFF_PERMISSIONS,
  type Id,
  type NewChannel,
  type Permission,
} from '@hearth/protocol';
import { signedInSchema } from '@hearth/protocol/schemas';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import { OWNER, type Account } from '../../../src/actor.ts';
import { createChannel } from '../../../src/features/communities/channels/create-channel.ts';
import { setBan } from '../../../src/features/communities/bans/set-ban.ts';
import { setOverwrite } from '../../../src/features/communities/channels/set-overwrite.ts';
import { createCommunity } from '../../../src/features/communities/communities/create-community.ts';
import { countMember } from '../../../src/features/communities/structure/lock-community.ts';
import { makeStaff } from '../../../src/features/accounts/manage-users/make-staff.ts';
import { addMember } from '../../../src/features/communities/members/add-member.ts';
import { changeMember } from '../../../src/features/communities/members/change-member.ts';
import { createCommunityInvite } from '../../../src/features/communities/community-invites/create-community-invite.ts';
import { postMessage } from '../../../src/features/talk/messages/post-message.ts';
import { setChannelNotifications } from '../../../src/features/talk/notification-settings/set-notifications.ts';
import { markChannel } from '../../../src/features/talk/read-states/mark-channel.ts';
import { createRole } from '../../../src/features/communities/roles/create-role.ts';
import { makePostChannels, voteFor, write, type PostChannels, type Written } from './make-posts.ts';
import type { Stage } from './stage.ts';

/** The callers, in the order of the table. A guest of the gateway is a visitor who has no requests. */
export const CALLERS = [
  'visitor',
  'stranger',
  'banned',
  'staff',
  'restricted',
  'timed out',
  'member',
  'moderator',
  'owner',
] as const;

export type Caller = (typeof CALLERS)[number];

/** Callers who are no members. */
export const OUTSIDERS: readonly Caller[] = ['visitor', 'stranger', 'banned', 'staff'];

/** Callers who do not see the secret channel. */
export const UNSEEING: readonly Caller[] = [...OUTSIDERS, 'restricted'];

/** The permissions of moderators. They manage neither roles nor channels. */
const OF_MODERATORS: readonly Permission[] = [
  'KICK',
  'BAN',
  'TIMEOUT',
  'MANAGE_CONTENT',
  'MANAGE_NICKNAMES',
  'MANAGE_INVITES',
  'VIEW_AUDIT_LOG',
  'PIN',
];

const HOUR_MS = 3_600_000;

/** A community with somebody of every kind. */
export interface Place extends PostChannels {
  readonly community: Id;
  readonly slug: string;
  readonly name: string;
  /** A channel that everyone sees who sees the community. */
  readonly open: Id;
  /** A channel that outsiders and the restricted member do not see. */
  readonly secret: Id;
  readonly category: Id;
  /** The role of those who see the secret channel, and that of the moderators. */
  readonly trusted: Id;
  readonly moderators: Id;
  /** A member without roles, of this community only, to whom things are done. */
  readonly target: Id;
  /** Somebody who is banned from this community only, and somebody who asks to join this one only. */
  readonly barred: Id;
  readonly waiting: Id;
  /** The code of an invite. */
  readonly invite: string;
  /** A message by everyone who may write there, by the name of {@link messageBy}. */
  readonly messages: ReadonlyMap<string, Id>;
  /** A post by everyone who may write there, by the same name. */
  readonly posts: ReadonlyMap<string, Written>;
  /** The owner, who has written everywhere. */
  readonly owner: Id;
}

/** The name of the message, or post, that somebody has written in a channel. */
export function messageBy(author: Caller | 'target', channel: string): string {
  return `${author} ${channel}`;
}

/** Everyone who calls, and where. */
export interface Cast {
  readonly tokens: Readonly<Record<Caller, string>>;
  readonly places: Readonly<Record<'public' | 'private', Place>>;
}

type Person = Account & { readonly token: string };
type People = Readonly<Record<Exclude<Caller, 'visitor'>, Person>>;

/** Registers everyone, and makes the communities. */
export async function makeCast(stage: Stage): Promise<Cast> {
  const register = async (username: string) => {
    const body = { username, email: `${username}@example.org`, password: PASSWORD };
    const { text } = await stage.ask('', { method: 'POST', path: '/users', body });
    const { token, user, session } = signedInSchema.parse(JSON.parse(text));
    return { ...sessionAccount(user.id, session.id), token };
  };
  const people: People = {
    owner: await register('olga'),
    moderator: await register('max'),
    member: await register('mia'),
    'timed out': await register('tom'),
    restricted: await register('rex'),
    banned: await register('ben'),
    stranger: await register('sam'),
    staff: await register('stella'),
  };
  const registerOthers = async (name: string) => ({
    target: await register(`target-${name}`),
    barred: await register(`barred-${name}`),
    waiting: await register(`waiting-${name}`),
  });
  const permissions = readPermissions(STAFF_PERMISSIONS, Object.keys(STAFF_PERMISSIONS));
  await makeStaff(stage.ctx, OWNER, { user: 'stella', permissions });
  const tokens = Object.fromEntries(
    CALLERS.map((caller) => [caller, caller === 'visitor' ? '' : people[caller].token]),
  );
  return {
    // Guarantee: made from all callers.
    tokens: tokens as Record<Caller, string>,
    places: {
      public: await makePlace(stage, { ...people, ...(await registerOthers('a')) }, 'public'),
      private: await makePlace(stage, { ...people, ...(await registerOthers('b')) }, 'private'),
    },
  };
}

async function makePlace(
  stage: Stage,
  people: People & Readonly<Record<'target' | 'barred' | 'waiting', Person>>,
  visibility: 'public' | 'private',
): Promise<Place> {
  const { ctx } = stage;
  const { owner } = people;
  const given = { name: `The ${visibility} one`, slug: `${visibility}-one`, kind: 'both' } as const;
  const community = await createCommunity(ctx, owner, { ...given, visibility });
  const id = community.id;
  const in_ = { community_id: id };
  const role = { hoisted: false, mentionable: false, self_assignable: false };
  // A new role is the weakest.
  const moderators = await createRole(ctx, owner, {
    ...{ ...in_, ...role },
    name: 'moderators',
    permissions: [...OF_MODERATORS],
  });
  const trusted = await createRole(ctx, owner, {
    ...{ ...in_, ...role },
    name: 'trusted',
    permissions: [],
  });
  const members = ['moderator', 'member', 'timed out', 'restricted', 'target', 'banned'] as const;
  await ctx.database.transaction(async (tx) => {
    for (const name of members) {
      await countMember(tx, id, 1);
      await addMember(tx, { communityId: id, userId: people[name].user_id, nowMs: 1 });
    }
  });
  const change = async (name: (typeof members)[number], roles: readonly Id[], until?: number) =>
    await changeMember(ctx, owner, {
      ...in_,
      user_id: people[name].user_id,
      role_ids: [...roles],
      ...(until !== undefined && { timed_out_until: until }),
    });
  await change('moderator', [trusted.id, moderators.id]);
  await change('member', [trusted.id]);
  await change('timed out', [trusted.id]);
  await change('target', [trusted.id]);
  await change('restricted', [trusted.id]);
  await change('banned', [trusted.id]);
  const channel = async (input: NewChannel) =>
    (await createChannel(ctx, owner, { ...in_, ...input })).id;
  const overwrites: NewChannel['overwrites'] = [
    { id, kind: 'role', allow: [], deny: ['VIEW'] },
    { id: trusted.id, kind: 'role', allow: ['VIEW'], deny: [] },
  ];
  const [first] = community.channels;
  if (first === undefined) throw new Error('no first channel');
  await setOverwrite(ctx, owner, {
    ...{ id: first.id, subject_id: moderators.id, kind: 'role' },
    ...{ allow: ['BYPASS_SLOW_MODE'], deny: [] },
  });
  const secret = await channel({ kind: 'messages', name: 'hush-hush', overwrites });
  const channels = await makePostChannels(stage, owner, { ...in_, overwrites });
  const messages = new Map<string, Id>();
  const posts = new Map<string, Written>();
  for (const author of ['owner', ...members] as const) {
    if (author === 'banned') continue;
    for (const where of author === 'restricted' ? [first.id] : [first.id, secret]) {
      const input = { channel_id: where, content: `${where === secret ? 'hush-hush' : 'Hello'}` };
      const message = await postMessage(ctx, people[author], input);
      messages.set(messageBy(author, where), message.id);
    }
    for (const where of [channels.openPosts, channels.secretPosts]) {
      const text = where === channels.secretPosts ? 'hush-hush' : 'Hello';
      const written = await write(stage, people[author], { channel_id: where, text });
      posts.set(messageBy(author, where), written);
      if (author === 'owner') await voteFor(stage, people.member, written);
    }
  }
  const reminder = await postMessage(ctx, owner, {
    ...{ channel_id: secret, content: 'hush-hush, @rex and @ben' },
  });
  for (const name of ['restricted', 'banned'] as const) {
    const inSecret = { channel_id: secret, last_read_id: reminder.id };
    await markChannel(ctx, people[name], inSecret);
    await setChannelNotifications(ctx, people[name], { channel_id: secret, level: 'all' });
  }
  await change('restricted', []);
  await change('target', []);
  await change('timed out', [trusted.id], ctx.clock.unixMs() + HOUR_MS);
  for (const { user_id } of [people.banned, people.barred]) {
    await setBan(ctx, owner, { ...in_, user_id });
  }
  const waiting = { community_id: id, user_id: people.waiting.user_id };
  await ctx.database.transaction(({ sql }) =>
    sql
      .insertInto('join_requests')
      .values({ ...waiting, content: '', created_at_ms: 1 })
      .execute(),
  );
  const invite = await createCommunityInvite(ctx, owner, in_);
  return {
    community: id,
    barred: people.barred.user_id,
    waiting: people.waiting.user_id,
    invite: invite.code,
    slug: given.slug,
    name: given.name,
    open: first.id,
    secret,
    messages,
    ...channels,
    posts,
    owner: owner.user_id,
    category: await channel({ kind: 'category', name: 'shelf' }),
    trusted: trusted.id,
    moderators: moderators.id,
    target: people.target.user_id,
  };
}
