import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import type { Id } from '@hearth/protocol';
import { messageBy, type Caller, type Place } from './cast.ts';
import type { Written } from './make-posts.ts';
import type { Asked } from './stage.ts';
import type { TableRow } from './table.ts';

/** The target of a request. */
export interface Target {
  readonly place: Place;
  /** The channel, if it is about one. */
  readonly channel: string;
  /** The caller who sends it, if it is about what they have written themselves. */
  readonly caller?: Caller;
}

/** The end of the names of rows that are about what the caller has written; others are about what somebody else has. */
const OWN = ' own';

/** An id that nothing has. */
const ABSENT = '999';

/** A code that no invite has. */
const ABSENT_CODE = '111111111111';

/** The bodies of requests, by the names of their rows. */
const BODIES: Readonly<Record<string, (target: Target) => unknown>> = {
  'POST /communities': () => ({ name: 'Another', slug: 'another' }),
  'PATCH /communities/{id}': () => ({ description: 'Herbs' }),
  'DELETE /communities/{id}': ({ place }) => ({ current_password: PASSWORD, slug: place.slug }),
  'PUT /communities/{id}/owner': ({ place }) => ({
    current_password: PASSWORD,
    user_id: place.target,
  }),
  'PATCH /communities/{community_id}/members/{user_id} nickname': () => ({ nickname: 'Tea' }),
  'PATCH /communities/{community_id}/members/{user_id} time-out': () => ({ timed_out_until: null }),
  'PATCH /communities/{community_id}/members/{user_id} roles': ({ place }) => ({
    role_ids: [place.trusted],
  }),
  'PUT /channels/{channel_id}/read': () => ({ last_read_id: '1' }),
  'PUT /users/me/notifications/read': () => ({ last_read_id: '1' }),
  'POST /communities/{community_id}/roles': () => ({ name: 'gardeners' }),
  'PUT /communities/{community_id}/roles/order': ({ place }) => ({
    ids: [place.trusted, place.moderators],
  }),
  'PATCH /communities/{community_id}/roles/{role_id}': () => ({ name: 'faithful' }),
  'POST /communities/{community_id}/channels': () => ({ kind: 'messages', name: 'herbs' }),
  'PUT /communities/{community_id}/channels/order': ({ place }) => ({
    order: [place.open, place.secret, place.openPosts, place.secretPosts, place.category].map(
      (id) => ({ id }),
    ),
  }),
  'POST /channels/{channel_id}/messages': () => ({ content: 'Good evening' }),
  'POST /channels/{channel_id}/posts': () => ({ title: 'Good evening' }),
  'POST /channels/{channel_id}/messages/delete-many': () => ({ ids: [ABSENT] }),
  'POST /channels/{channel_id}/reach': () => ({ content: '@all' }),
  'PATCH /channels/{channel_id}/messages/{id}': () => ({ content: 'Good night' }),
  'PATCH /channels/{channel_id}/messages/{id} own': () => ({ content: 'Good night' }),
  'PATCH /channels/{id}': () => ({ topic: 'Sage' }),
  'PUT /channels/{id}/overwrites/{subject_id}': () => ({
    kind: 'role',
    allow: ['VIEW'],
    deny: [],
  }),
  'PUT /communities/{community_id}/bans/{user_id}': () => ({}),
  'PUT /communities/{community_id}/join-requests/me': () => ({}),
  'POST /communities/{community_id}/invites': () => ({}),
  ...Object.fromEntries(
    ['PUT /posts/{id}/vote', 'PUT /comments/{id}/vote'].map((name) => [name, () => ({ value: 1 })]),
  ),
  // Both are refused once the caller may post, because what is stored is taken back before it is read again.
  'POST /channels/{channel_id}/posts among posts': () => ({
    title: 'Good evening',
    tag_ids: ['1'],
  }),
  'PATCH /posts/{id}': () => ({ title: 'Good night' }),
  'PATCH /posts/{id} own': () => ({ title: 'Good night' }),
  'PATCH /posts/{id} pinned': () => ({ pinned: true }),
  'PATCH /posts/{id} locked': () => ({ locked: true }),
  'POST /posts/{id}/crosspost': ({ place }) => ({ channel_id: place.open }),
  'PUT /posts/{id}/accepted': (target) => ({ comment_id: writtenIn(target, 'target')?.comment }),
  'PUT /posts/{id}/accepted own': (target) => ({
    comment_id: writtenIn(target, target.caller)?.comment,
  }),
  'PUT /posts/{id}/poll': (target) => ({
    option_ids: writtenIn(target, 'target')?.options.slice(0, 1) ?? [],
  }),
  'POST /posts/{post_id}/comments': () => ({ content: 'Good evening' }),
  'PATCH /comments/{id}': () => ({ content: 'Good night' }),
  'PATCH /comments/{id} own': () => ({ content: 'Good night' }),
  'PUT /channels/{channel_id}/notifications': () => ({ level: 'none' }),
  'PUT /communities/{community_id}/notifications': () => ({ level: 'none' }),
};

/** The paths of rows whose place is in the query. */
const SEARCHES: Readonly<Record<string, string>> = {
  'GET /search in': '/search?q=h&in={channel_id}',
  'GET /search community': '/search?q=h&community={community_id}',
  'GET /search/facets in': '/search/facets?q=h&in={channel_id}',
  'GET /search/facets community': '/search/facets?q=h&community={community_id}',
  'GET /search in among posts': '/search?kind=posts&q=h&in={channel_id}',
  'GET /search comments among posts': '/search?kind=comments&q=h&in={channel_id}',
};

/** Routes that make what the last part of their path names. */
const MAKING: readonly string[] = ['PUT /channels/{id}/overwrites/{subject_id}'];

/** Routes whose last part names somebody, who need not be in the community. */
const OF_ANYONE: readonly string[] = ['PUT /communities/{community_id}/bans/{user_id}'];

/** The end of the names of rows about a channel with posts, where the other rows of the route are about one with messages. */
const AMONG_POSTS = ' among posts';

/** Routes about a post, a comment, or somebody and what they have written. */
const OF_POST = / \/posts\/{/;
const OF_COMMENT = / \/comments\/{/;
const OF_PERSON = / \/users\/{/;

/** The place that a row is about: a channel, a community, or none. */
export function placeOf({ name, route }: Pick<TableRow, 'name' | 'route'>) {
  const path = SEARCHES[name] ?? route;
  if (OF_PERSON.test(route)) return 'none';
  if (OF_POST.test(route) || OF_COMMENT.test(route)) return 'channel';
  if (route.includes(' /channels/') || path.includes('{channel_id}')) return 'channel';
  return path.includes('{') ? 'community' : 'none';
}

/** The request of a row. */
export function requestOf(row: TableRow, target: Target): Asked {
  return asked(row, target, (parameter) => valueOf(parameter, row, target));
}

/** Returns the request of a row about a community or channel that does not exist. */
export function requestOfNothing(row: TableRow, target: Target): Asked {
  return asked(row, target, (parameter, at) =>
    at === 0 ? absentFor(parameter) : valueOf(parameter, row, target),
  );
}

export interface StrayRequests {
  readonly stray: Asked;
  readonly absent: Asked;
  /** True if they would make it, and are refused for a reason other than that it is not there. */
  readonly isMade: boolean;
}

/**
 * The requests of a row, in a community or channel, about a child that belongs to another one, and about one that does not
 * exist; undefined if it is not about a child.
 */
export function strayRequests(
  row: TableRow,
  target: Target,
  other: Target,
): StrayRequests | undefined {
  const isMade = MAKING.includes(row.route);
  const isWithin = target.place === other.place;
  const isOfChild = row.route.split('{').length > 2 && !OF_ANYONE.includes(row.route);
  if (!isOfChild || (isMade && isWithin)) return undefined;
  const withChild = (child: (parameter: string) => string) =>
    asked(row, target, (parameter, at) =>
      at === 0 || parameter === 'emoji' ? valueOf(parameter, row, target) : child(parameter),
    );
  return {
    isMade,
    stray: withChild((parameter) => valueOf(parameter, row, other)),
    absent: withChild(absentFor),
  };
}

function absentFor(parameter: string): string {
  return parameter === 'code' ? ABSENT_CODE : ABSENT;
}

function asked(
  { name, route }: TableRow,
  target: Target,
  value: (parameter: string, at: number) => string,
): Asked {
  const [method = '', bare = ''] = route.split(' ');
  const path = SEARCHES[name] ?? bare;
  const body = BODIES[name]?.(target);
  let at = -1;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    value(parameter, (at += 1)),
  );
  return { method, path: filled, ...(body !== undefined && { body }) };
}

/** The channel with posts of a target. */
function postChannelOf({ place, channel }: Target): Id {
  return channel === place.secret ? place.secretPosts : place.openPosts;
}

/**
 * Returns what somebody has written in the channel with posts of a target; what the target of the place has if they
 * have not.
 */
function writtenIn(target: Target, author: Caller | 'target' = 'owner'): Written | undefined {
  const [{ posts }, channel] = [target.place, postChannelOf(target)];
  return posts.get(messageBy(author, channel)) ?? posts.get(messageBy('target', channel));
}

/** The post or comment that a route is about; undefined if it is about neither. */
function writtenFor({ name, route }: TableRow, target: Target): Id | undefined {
  const written = writtenIn(target, name.endsWith(OWN) ? target.caller : 'target');
  if (OF_POST.test(route)) return written?.post;
  return OF_COMMENT.test(route) ? written?.comment : undefined;
}

/** Returns the person whom a route is about. */
function userIn(route: string, { target, barred, waiting, owner }: Place): string {
  if (OF_PERSON.test(route)) return owner;
  if (route.includes('/join-requests/')) return waiting;
  const isAboutBan = route.includes('/bans/') && !route.startsWith('PUT');
  return isAboutBan ? barred : target;
}

/** The value of a parameter of a path. */
function valueOf(parameter: string, row: TableRow, target: Target): string {
  const { name, route } = row;
  const written = writtenFor(row, target);
  if (written !== undefined) return written;
  const { place, channel, caller = 'owner' } = target;
  const others = place.messages.get(messageBy('target', channel)) ?? ABSENT;
  const own = place.messages.get(messageBy(caller, channel)) ?? others;
  const inPlace = route.includes(' /channels/') ? channel : place.community;
  const values: Readonly<Record<string, string>> = {
    id: OF_PERSON.test(route) ? place.owner : inPlace,
    community_id: place.community,
    channel_id: name.endsWith(AMONG_POSTS) ? postChannelOf(target) : channel,
    user_id: userIn(route, place),
    code: place.invite,
    role_id: place.trusted,
    subject_id: channel === place.secret ? place.trusted : place.moderators,
    slug: place.slug,
    emoji: encodeURIComponent('🌱'),
  };
  const isMessage = parameter === 'id' && route.includes('{channel_id}');
  const message = name.endsWith(OWN) ? own : others;
  const value = isMessage ? message : values[parameter];
  if (value === undefined) throw new Error(`nothing is known for {${parameter}} of ${route}`);
  return value;
}
