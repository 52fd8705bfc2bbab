import {
  communityStream,
  channelStream,
  NotFoundError,
  type Id,
  type Sight,
} from '@hearth/protocol';
import type { Actor } from '../../../src/actor.ts';
import { audienceTest } from '../../../src/features/communities/structure/audience-test.ts';
import { findAudiences } from '../../../src/features/communities/audiences/find-audiences.ts';
import { streamsOf } from '../../../src/features/communities/audiences/streams-of.ts';
import {
  findChannel,
  listChannels,
} from '../../../src/features/communities/channels/list-channels.ts';
import {
  findCommunity,
  findCommunityBySlug,
} from '../../../src/features/communities/communities/find-community.ts';
import { listCommunities } from '../../../src/features/communities/communities/list-communities.ts';
import { listOwnCommunities } from '../../../src/features/communities/communities/list-own-communities.ts';
import {
  audienceOf,
  readCommunity,
  selectMember,
} from '../../../src/features/communities/structure/structure.ts';
import { findComment } from '../../../src/features/forum/comments/find-comment.ts';
import { listUserComments } from '../../../src/features/forum/comments/list-user-comments.ts';
import { listCommunityPosts, listFeed } from '../../../src/features/forum/post-lists/list-posts.ts';
import { listPublicPages } from '../../../src/features/forum/post-lists/list-public-pages.ts';
import { listUserPosts } from '../../../src/features/forum/post-lists/list-user-posts.ts';
import { findPost } from '../../../src/features/forum/posts/complete-posts.ts';
import { search } from '../../../src/features/search/search/search.ts';
import { resolveNames } from '../../../src/features/talk/mentions/resolve-mentions.ts';
import { findPlace } from '../../../src/features/talk/places/places.ts';
import { listChannelMessages } from '../../../src/features/talk/messages/list-messages.ts';
import { listNotificationSettings } from '../../../src/features/talk/notification-settings/find-settings.ts';
import { listNotifications } from '../../../src/features/talk/notifications/list-notifications.ts';
import { listReadStates } from '../../../src/features/talk/read-states/find-read-states.ts';
import type { InstanceContext } from '../../../src/instance-context.ts';
import { namingAll, slugOf, WORD, type Planted } from './plant-garden.ts';
import { CHANNELS, PLACES, type Channel, type Looker, type Place } from './random-garden.ts';
import { visitsOf } from './visits-of.ts';

/** Somebody who looks at a garden. */
export interface Look extends Planted {
  readonly ctx: InstanceContext;
  readonly looker: Looker;
  readonly actor: Actor;
  /** Returns what they may know, and what visitors may, as the protocol decides it. */
  readonly sight: (place: Place) => Sight;
  readonly sightOfGuests: (place: Place) => Sight;
  readonly isRestricted: (place: Place) => boolean;
  readonly isMember: boolean;
  /** The channels of which they were sent notifications, after everything had happened. */
  readonly notified: ReadonlySet<Id>;
}

/** A way in which somebody may learn that a place exists. */
export interface Surface {
  readonly name: string;
  /** The places that it may show. */
  readonly of: readonly Place[];
  readonly expects: (look: Look, place: Place) => boolean;
  readonly see: (look: Look) => Promise<Iterable<Place>>;
}

const MESSAGES = ['talk', 'inside'] as const;
const HOLDING = [...MESSAGES, 'board'] as const;
const PAGE = { limit: 100 } as const;

const reads: Surface['expects'] = ({ sight }, place) => sight(place).reads;
const follows: Surface['expects'] = ({ sight }, place) => sight(place).follows;
const finds: Surface['expects'] = ({ sight }, place) => sight(place).finds;
const members =
  (expects: Surface['expects']): Surface['expects'] =>
  (look, place) =>
    look.isMember && expects(look, place);
/**
 * Returns whether somebody is notified; a member who leaves loses their notifications. Members were named; the owner,
 * and one who never joined, are notified of replies.
 */
const concerned: Surface['expects'] = (look, place) => {
  const isTold =
    look.looker === 'olga' || look.looker === 'dan' ? place === 'board' : look.isMember;
  return isTold && look.looker !== 'guest' && follows(look, place);
};

/** Answers of REST about communities and channels. */
const ofCommunities: readonly Surface[] = [
  {
    name: 'GET /communities/<id>',
    of: ['garden'],
    expects: reads,
    see: ({ ctx, actor, ids }) => there('garden', findCommunity(ctx, actor, { id: ids.garden })),
  },
  {
    name: 'GET /communities/by-slug/<slug>',
    of: ['garden'],
    expects: reads,
    see: ({ ctx, actor, number }) =>
      there('garden', findCommunityBySlug(ctx, actor, { slug: slugOf({ number }) })),
  },
  {
    name: 'GET /communities',
    of: ['garden'],
    expects: ({ sightOfGuests }, place) => sightOfGuests(place).finds,
    see: async (look) => {
      const page = await listCommunities(look.ctx, look.actor, { sort: 'new', ...PAGE });
      return placesAt(look, page.entries);
    },
  },
  {
    name: 'GET /communities?mine=true',
    of: ['garden'],
    expects: members(reads),
    see: accounts(async (look, actor) => {
      const query = { mine: 'true', sort: 'new', ...PAGE } as const;
      return placesAt(look, (await listCommunities(look.ctx, actor, query)).entries);
    }),
  },
  {
    name: 'communities in READY',
    of: PLACES,
    expects: members(reads),
    see: accounts(async (look, actor) => {
      const all = await listOwnCommunities(look.ctx, actor);
      const own = all.filter(({ id }) => id === look.ids.garden);
      return placesAt(look, [...own, ...own.flatMap(({ channels }) => channels)]);
    }),
  },
  {
    name: 'GET /channels/<id>',
    of: CHANNELS,
    expects: reads,
    see: each(CHANNELS, ({ ctx, actor }, id) => findChannel(ctx, actor, { id })),
  },
  {
    name: 'GET /communities/<id>/channels',
    of: CHANNELS,
    expects: reads,
    see: async (look) => {
      const listed = listChannels(look.ctx, look.actor, { community_id: look.ids.garden });
      return placesAt(look, (await ifThere(listed)) ?? []);
    },
  },
];

/** Answers of REST about what channels hold. */
const ofContents: readonly Surface[] = [
  {
    name: 'GET /channels/<id>/messages',
    of: MESSAGES,
    expects: reads,
    see: each(MESSAGES, async ({ ctx, actor }, id) => {
      const query = { channel_id: id, after: undefined, before: undefined, ...PAGE };
      if ((await listChannelMessages(ctx, actor, query)).length === 0) throw new NotFoundError();
    }),
  },
  {
    name: 'a search of a channel',
    of: MESSAGES,
    expects: reads,
    see: each(MESSAGES, async ({ ctx, actor }, channelId) => {
      const query = { kind: 'messages', q: WORD, in: channelId, ...PAGE } as const;
      const { found } = await search(ctx, actor, query);
      if (found.length === 0) throw new NotFoundError();
    }),
  },
  {
    name: 'a search of a community',
    of: HOLDING,
    expects: reads,
    see: async (look) => {
      const found = [];
      for (const kind of ['messages', 'posts'] as const) {
        const input = { kind, q: WORD, community: look.ids.garden, ...PAGE };
        const answer = await ifThere(search(look.ctx, look.actor, input));
        found.push(...(answer?.found ?? []));
      }
      return placesOf(
        look,
        found.flatMap((each) => ('channel_id' in each ? [each] : [])),
      );
    },
  },
  {
    name: 'GET /posts/<id>',
    of: ['board'],
    expects: reads,
    see: ({ ctx, actor, post: id }) => there('board', findPost(ctx, actor, { id })),
  },
  {
    name: 'GET /comments/<id>',
    of: ['board'],
    expects: reads,
    see: ({ ctx, actor, comment: id }) =>
      there('board', findComment(ctx, actor, { id, context: 0 })),
  },
  {
    name: 'GET /communities/<id>/posts',
    of: ['board'],
    expects: reads,
    see: async (look) => {
      const query = { community_id: look.ids.garden, sort: 'new', ...PAGE } as const;
      const page = await ifThere(listCommunityPosts(look.ctx, look.actor, query));
      return placesOf(look, page?.entries ?? []);
    },
  },
  {
    name: 'GET /feed',
    of: ['board'],
    expects: members(follows),
    see: accounts(async (look, actor) =>
      placesOf(look, (await listFeed(look.ctx, actor, { sort: 'new', ...PAGE })).entries),
    ),
  },
  {
    name: 'GET /users/<id>/posts',
    of: ['board'],
    expects: finds,
    see: async (look) => {
      const query = { id: look.ids.olga, ...PAGE };
      return placesOf(look, (await listUserPosts(look.ctx, look.actor, query)).entries);
    },
  },
  {
    name: 'GET /users/<id>/comments',
    of: ['board'],
    expects: finds,
    see: async (look) => {
      const query = { user_id: look.ids.olga, ...PAGE };
      const { entries } = await listUserComments(look.ctx, look.actor, query);
      return entries.some(({ id }) => id === look.comment) ? ['board'] : [];
    },
  },
  {
    name: 'the pages that search engines list',
    of: ['board'],
    expects: ({ sightOfGuests, isRestricted }, place) =>
      sightOfGuests(place).finds && !isRestricted(place),
    see: async ({ ctx, post }) => {
      const { posts } = await listPublicPages(ctx);
      return posts.some(({ id }) => id === post) ? ['board'] : [];
    },
  },
];

/** Things that notify somebody, and that are remembered of what they have read. */
const ofReading: readonly Surface[] = [
  {
    name: 'notifications',
    of: HOLDING,
    expects: concerned,
    see: accounts(async (look, actor) =>
      placesOf(look, await listNotifications(look.ctx, actor, { limit: 50 })),
    ),
  },
  {
    name: 'notifications that are sent',
    of: HOLDING,
    expects: concerned,
    see: async (look) =>
      placesAt(
        look,
        Array.from(look.notified, (id) => ({ id })),
      ),
  },
  {
    name: 'read states',
    of: HOLDING,
    expects: members(follows),
    see: accounts(async (look, actor) => placesOf(look, await listReadStates(look.ctx, actor))),
  },
  {
    name: 'notification settings',
    of: HOLDING,
    expects: (look, place) => look.looker !== 'olga' && members(follows)(look, place),
    see: accounts(async (look, actor) =>
      placesOf(look, await listNotificationSettings(look.ctx, actor)),
    ),
  },
  {
    name: 'being mentioned',
    of: HOLDING,
    expects: (look, place) => look.looker !== 'olga' && members(follows)(look, place),
    see: async ({ ctx, people, ids, looker, number }) => {
      const named: Channel[] = [];
      for (const place of HOLDING) {
        const access = await findPlace(ctx, people.olga, ids[place]);
        const { users = [] } = await resolveNames(ctx, access, namingAll(number));
        if (looker !== 'guest' && users.includes(ids[looker])) named.push(place);
      }
      return named;
    },
  },
];

/** Payloads of the gateway. */
const ofGateway: readonly Surface[] = [
  {
    name: 'streams of a member of a community',
    of: PLACES,
    expects: members(follows),
    see: accounts(async (look, { user_id: user }) => {
      const { ctx, ids } = look;
      return carriedFor(look, user, await findAudiences(ctx, [user], [ids.garden]));
    }),
  },
  {
    name: 'streams of a user',
    of: PLACES,
    expects: members(follows),
    see: accounts(async (look, { user_id: user }) =>
      carriedFor(look, user, await findAudiences(look.ctx, [user])),
    ),
  },
  {
    name: 'those whom the end of an access leaves in',
    of: CHANNELS,
    expects: members(follows),
    see: accounts(async ({ ctx, ids, garden }, { user_id: user }) => {
      const { reader } = ctx.database;
      const community = await readCommunity(reader, ids.garden);
      const member = await selectMember(reader, ids.garden, user);
      // The streams of what was deleted end for everyone.
      if (community === undefined || member === undefined || garden.isDeleted) return [];
      return CHANNELS.filter((place) => {
        const channel = community.channelById.get(ids[place]);
        if (channel === undefined) return false;
        return audienceTest(audienceOf(community, channel))({ user, roles: member.roleIds });
      });
    }),
  },
  {
    name: 'a visit',
    of: PLACES,
    expects: (look, place) => !look.isMember && follows(look, place) && !look.isRestricted(place),
    see: async (look) => {
      if (look.isMember) return [];
      const user = look.actor.kind === 'account' ? look.actor.user_id : undefined;
      const isBegun = await visitsOf(look.ctx, { user, id: look.ids.garden });
      return PLACES.filter((place) => isBegun && !look.isRestricted(place));
    },
  },
];

export const SURFACES = [...ofCommunities, ...ofContents, ...ofReading, ...ofGateway];

/** Does something for those with an account only; others see nothing. */
function accounts(
  see: (look: Look, actor: Extract<Actor, { kind: 'account' }>) => Promise<Iterable<Place>>,
): Surface['see'] {
  return async (look) => (look.actor.kind === 'account' ? await see(look, look.actor) : []);
}

/** Tries something in each of the channels. */
function each(
  channels: readonly Channel[],
  act: (look: Look, id: Id) => Promise<unknown>,
): Surface['see'] {
  return async (look) => {
    const all = channels.map((place) => there(place, act(look, look.ids[place])));
    return (await Promise.all(all)).flat();
  };
}

async function there(place: Place, answer: Promise<unknown>): Promise<readonly Place[]> {
  return (await ifThere(answer.then(() => true))) === true ? [place] : [];
}

async function ifThere<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function placesAt({ ids }: Look, found: readonly { readonly id: Id }[]): readonly Place[] {
  return PLACES.filter((place) => found.some(({ id }) => id === ids[place]));
}

function placesOf(look: Look, found: readonly { readonly channel_id?: Id }[]): readonly Place[] {
  return placesAt(
    look,
    found.flatMap(({ channel_id: id }) => (id === undefined ? [] : [{ id }])),
  );
}

/** The places whose events the streams of a user carry. */
function carriedFor(
  { ids, isRestricted }: Look,
  user: Id,
  { communities, members: all }: Awaited<ReturnType<typeof findAudiences>>,
): readonly Place[] {
  const community = communities.get(ids.garden);
  const member = all.get(user)?.find(({ communityId }) => communityId === ids.garden);
  if (community === undefined || member === undefined) return [];
  const streams = streamsOf(community, member);
  return PLACES.filter((place) =>
    streams.includes(isRestricted(place) ? channelStream(ids[place]) : communityStream(ids.garden)),
  );
}
