import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { findIdsOfNames } from '../../accounts/users/users.ts';
import type { KeepsMembers } from '../../communities/structure/structure.ts';
import { asChannel, everyoneSees, may, type PlaceAccess } from '../places/places.ts';
import { foldedName, mentionWords, type MentionWord } from './mention-words.ts';
import type { Mentions } from './stored-mentions.ts';
import { postsNamed, type NamingContext } from './named-posts.ts';

/** The number of people and roles that a message mentions, and of channels. */
const MOST_MENTIONS = 50;

const ALL = 'all';

/**
 * Finds whom and what a text mentions: people who see the channel, roles that may be mentioned, everyone for those who
 * may mention everyone, and channels and posts that all see who see this one. A name that is both is that of the
 * person.
 */
export async function resolveMentions(
  ctx: NamingContext & KeepsMembers & Pick<Context, 'settings'>,
  access: PlaceAccess,
  content: string,
): Promise<Mentions> {
  const mentions = await resolveNames(ctx, access, content);
  const posts = await postsNamed(ctx, asChannel(access), content);
  return posts.length === 0 ? mentions : { ...mentions, posts };
}

/** Finds the mentions of a text without posts, which have no names but addresses. */
export async function resolveNames(
  ctx: Pick<Context, 'database'> & KeepsMembers,
  access: PlaceAccess,
  content: string,
): Promise<Mentions> {
  const words = mentionWords(content);
  if (words.length === 0) return {};
  const people = words.filter(({ sign }) => sign === '@');
  const places = words.filter(({ sign }) => sign === '#');
  const userByName = await mentionable(ctx, access, people);
  const roleByName = rolesOf(access);
  const users = new Set<Id>();
  const roles = new Set<Id>();
  let all = false;
  for (const { forms } of people) {
    if (forms.includes(ALL)) {
      all ||= may(access, 'MENTION_ALL');
      continue;
    }
    if (users.size + roles.size === MOST_MENTIONS) break;
    const user = firstOf(forms, userByName);
    const role = firstOf(forms, roleByName);
    if (user !== undefined) users.add(user);
    else if (role !== undefined) roles.add(role);
  }
  const channels = channelsNamed(access, places);
  return {
    ...(users.size > 0 && { users: [...users] }),
    ...(roles.size > 0 && { roles: [...roles] }),
    ...(channels.length > 0 && { channels }),
    ...(all && { all: true as const }),
  };
}

/** The people whom words may mean, by their names: those who see the place. */
async function mentionable(
  ctx: Pick<Context, 'database'> & KeepsMembers,
  access: PlaceAccess,
  words: readonly MentionWord[],
): Promise<ReadonlyMap<string, Id>> {
  const names = await findIdsOfNames(
    ctx.database.reader,
    words.flatMap(({ forms }) => forms),
  );
  // This process may not have heard yet that somebody was removed.
  const findMember = ctx.members.read.bind(ctx.members);
  const seeing = await access.of.seeing(findMember, access, [...names.values()]);
  return new Map([...names].filter(([, id]) => seeing.has(id)));
}

function rolesOf(access: PlaceAccess): ReadonlyMap<string, Id> {
  const { community } = asChannel(access) ?? {};
  if (community === undefined) return new Map();
  const { roleById, stored } = community;
  const mayAll = may(access, 'MENTION_ALL');
  const roles = [...roleById.values()].filter(
    ({ id, mentionable }) => id !== stored.id && (mentionable > 0 || mayAll),
  );
  // Of two roles with one name, the stronger one is meant.
  return new Map(roles.map(({ id, name }) => [foldedName(name), id]));
}

/** The channels that words name, and that everyone sees who sees this one. */
function channelsNamed(access: PlaceAccess, words: readonly MentionWord[]): readonly Id[] {
  const place = asChannel(access);
  if (place === undefined || words.length === 0) return [];
  const { community } = place;
  const named = new Set(words.flatMap(({ forms }) => forms));
  const idByName = new Map<string, Id>();
  for (const other of community.channelById.values()) {
    const name = foldedName(other.name);
    if (!named.has(name) || idByName.has(name) || other.kind === 'category') continue;
    if (everyoneSees(place, { community, channel: other })) idByName.set(name, other.id);
  }
  const ids = words.flatMap(({ forms }) => firstOf(forms, idByName) ?? []);
  return [...new Set(ids)].slice(0, MOST_MENTIONS);
}

function firstOf(forms: readonly string[], byName: ReadonlyMap<string, Id>): Id | undefined {
  return forms.map((form) => byName.get(form)).find((id) => id !== undefined);
}
