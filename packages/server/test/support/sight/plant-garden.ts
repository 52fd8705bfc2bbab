import type { Id } from '@hearth/protocol';
import { indexSearch } from '@hearth/testing/instances/index-search';
import type { Account } from '../../../src/actor.ts';
import { setBan } from '../../../src/features/communities/bans/set-ban.ts';
import { createChannel } from '../../../src/features/communities/channels/create-channel.ts';
import { setOverwrite } from '../../../src/features/communities/channels/set-overwrite.ts';
import { changeCommunity } from '../../../src/features/communities/communities/change-community.ts';
import { createCommunity } from '../../../src/features/communities/communities/create-community.ts';
import { changeMember } from '../../../src/features/communities/members/change-member.ts';
import { joinCommunity } from '../../../src/features/communities/members/join-community.ts';
import {
  leaveCommunity,
  removeMember,
} from '../../../src/features/communities/members/leave-community.ts';
import { changeRole } from '../../../src/features/communities/roles/change-role.ts';
import { createRole } from '../../../src/features/communities/roles/create-role.ts';
import { markCommunityDeleted } from '../../../src/features/communities/structure/structure.ts';
import { createComment } from '../../../src/features/forum/comments/create-comment.ts';
import { createPost } from '../../../src/features/forum/posts/create-post.ts';
import { postMessage } from '../../../src/features/talk/messages/post-message.ts';
import { setChannelNotifications } from '../../../src/features/talk/notification-settings/set-notifications.ts';
import type { InstanceContext } from '../../../src/instance-context.ts';
import {
  CHANNELS,
  JOINED,
  kindOf,
  PEOPLE,
  ROLES,
  sent,
  type Garden,
  type Ids,
  type Person,
} from './random-garden.ts';

/** A garden that is stored, with something in each of its channels that names everyone who has joined. */
export interface Planted {
  readonly garden: Garden;
  readonly ids: Ids;
  /** Ends the slug, and the names of its people. */
  readonly number: number;
  readonly people: People;
  readonly post: Id;
  readonly comment: Id;
}

export type People = Readonly<Record<Person, Account>>;

/** The word that everything in a garden contains. */
export const WORD = 'needle';

/** A text that names everyone who has joined the garden with a number. */
export function namingAll(number: number): string {
  return JOINED.map((name) => `@${name}${number}`).join(' ');
}

/** Makes a public garden in which everyone sees everything, and lets happen what makes it the one that is wanted. */
export async function plantGarden(
  ctx: InstanceContext,
  given: Pick<Planted, 'garden' | 'number' | 'people'>,
): Promise<Planted> {
  const ids = await makeGarden(ctx, given);
  const written = await writeInGarden(ctx, given, ids);
  const planted = { ...given, ids, ...written };
  await changeGarden(ctx, planted);
  return planted;
}

/** The slug of the garden with a number. */
export function slugOf({ number }: Pick<Planted, 'number'>): string {
  return `sight-${number}`;
}

async function makeGarden(
  ctx: InstanceContext,
  { garden: { isBoardInShed }, number, people }: Pick<Planted, 'garden' | 'number' | 'people'>,
): Promise<Ids> {
  const { olga } = people;
  const slug = slugOf({ number });
  const given = { name: 'Garden', slug, kind: 'both', visibility: 'public' } as const;
  const { id } = await createCommunity(ctx, olga, given);
  const inGarden = { community_id: id };
  const shed = await createChannel(ctx, olga, { ...inGarden, kind: 'category', name: 'shed' });
  const add = async (name: string, kind: 'messages' | 'posts', isInShed: boolean) => {
    const place = isInShed ? { category_id: shed.id } : {};
    return (await createChannel(ctx, olga, { ...inGarden, ...place, kind, name })).id;
  };
  const inside = await add('inside', 'messages', true);
  const talk = await add('talk', 'messages', false);
  const board = await add('board', 'posts', isBoardInShed);
  const rest = { hoisted: false, mentionable: false, self_assignable: false, permissions: [] };
  const addRole = async (name: string) =>
    (await createRole(ctx, olga, { ...inGarden, ...rest, name })).id;
  const [one, two] = [await addRole('one'), await addRole('two')];
  for (const name of JOINED) await joinCommunity(ctx, people[name], inGarden);
  const own = Object.fromEntries(PEOPLE.map((name) => [name, people[name].user_id]));
  // Guarantee: there is one for each of the people.
  const known = own as Record<Person, Id>;
  return { ...known, garden: id, everyone: id, one, two, shed: shed.id, inside, talk, board };
}

async function writeInGarden(
  ctx: InstanceContext,
  { number, people: { olga, dan, ...members } }: Pick<Planted, 'number' | 'people'>,
  ids: Ids,
) {
  const content = `${WORD} ${namingAll(number)}`;
  for (const channel of ['talk', 'inside'] as const) {
    await postMessage(ctx, olga, { channel_id: ids[channel], content });
  }
  const written = { channel_id: ids.board, title: WORD, content: namingAll(number) };
  const { id: post } = await createPost(ctx, olga, written);
  const asked = await createComment(ctx, dan, { post_id: post, content: 'Why?' });
  const reply = { post_id: post, parent_id: asked.id, content: WORD };
  const { id: comment } = await createComment(ctx, olga, reply);
  await indexSearch(ctx);
  for (const person of Object.values(members)) {
    for (const channel of ['talk', 'inside', 'board'] as const) {
      await setChannelNotifications(ctx, person, { channel_id: ids[channel], level: 'all' });
    }
  }
  return { post, comment };
}

async function changeGarden(
  ctx: InstanceContext,
  { garden, ids, people }: Pick<Planted, 'garden' | 'ids' | 'people'>,
): Promise<void> {
  const { olga } = people;
  const inGarden = { community_id: ids.garden };
  for (const channel of CHANNELS) {
    for (const given of garden.overwrites[channel]) {
      const change = { kind: kindOf(given), ...sent(given) };
      const place = { id: ids[channel], subject_id: ids[given.subject] };
      await setOverwrite(ctx, olga, { ...place, ...change });
    }
  }
  for (const role of ROLES) {
    const permissions = [...garden.permissions[role]];
    await changeRole(ctx, olga, { ...inGarden, role_id: ids[role], permissions });
  }
  for (const name of JOINED) await live(ctx, { garden, ids, people, name });
  const { visibility } = garden;
  const join = visibility === 'private' ? 'invite' : 'open';
  await changeCommunity(ctx, olga, { id: ids.garden, visibility, join });
  if (!garden.isDeleted) return;
  await ctx.database.transaction(async (tx) => {
    await markCommunityDeleted(tx.sql, ids.garden, ctx.clock.unixMs());
    tx.changed('communities', ids.garden);
  });
}

interface Living extends Pick<Planted, 'garden' | 'ids' | 'people'> {
  readonly name: (typeof JOINED)[number];
}

async function live(ctx: InstanceContext, { garden, ids, people, name }: Living): Promise<void> {
  const { olga, [name]: person } = people;
  const place = { community_id: ids.garden, user_id: person.user_id };
  const { fate, roles } = garden.lives[name];
  const role_ids = roles.map((role) => ids[role]);
  await changeMember(ctx, olga, { ...place, role_ids });
  switch (fate) {
    case 'member':
      return;
    case 'timed out': {
      // Administrators cannot be.
      if (roles.some((role) => garden.permissions[role].includes('ADMINISTRATOR'))) return;
      const timed_out_until = ctx.clock.unixMs() + 60_000;
      await changeMember(ctx, olga, { ...place, timed_out_until });
      return;
    }
    case 'left':
      await leaveCommunity(ctx, person, place);
      return;
    case 'kicked':
      await removeMember(ctx, olga, place);
      return;
    case 'banned':
      await setBan(ctx, olga, place);
  }
}
