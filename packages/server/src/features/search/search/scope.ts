import {
  lobbySightOf,
  SEARCHED_KINDS,
  sightOf,
  ValidationError,
  type ChannelKind,
  type Id,
  type SearchedKind,
  type SearchedKinds,
  type SearchedPlace,
} from '@hearth/protocol';
import type { Account, Actor } from '../../../actor.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { seenChannels } from '../../communities/channels/channels.ts';
import {
  accessOf,
  accessTo,
  readMemberships,
  type Access,
} from '../../communities/structure/structure.ts';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import { findPlace, LOBBY_ID, type PlacesContext } from '../../talk/places/places.ts';
import { communityWord, placeWord } from './index-words.ts';

/** The part of the index that a search may find. */
export interface Scope {
  readonly kinds: readonly IndexedKind[];
  /** The words of its places and communities. */
  readonly words: readonly string[];
  /** The words of places in these that are hidden from the caller. */
  readonly hidden: readonly string[];
  /** The places that it has, each with its community, which is empty if it has none. */
  readonly places: ReadonlyMap<Id, Id | ''>;
}

/** The place and the kind that are searched. */
export interface Searched {
  readonly kind: SearchedKinds;
  readonly in?: SearchedPlace | undefined;
  readonly community?: Id | undefined;
}

/**
 * The scope of a search. Throws NotFoundError if the caller may not know that the place or community exists, and ValidationError if
 * the place holds nothing of the kind.
 */
export async function scopeOf(
  ctx: PlacesContext,
  actor: Actor,
  { kind, in: named = 'lobby', community: communityId }: Searched,
): Promise<Scope> {
  if (communityId !== undefined) {
    return scopeIn([await accessTo(ctx, actor, communityId)], kindsOf(kind));
  }
  if (named === 'all') return await everywhere(ctx, actor, kind);
  const { place } = await findPlace(ctx, actor, named === 'lobby' ? LOBBY_ID : named);
  const kinds = kindsOf(kind).filter((each) => holds(place.kind, each));
  if (kinds.length === 0) {
    const held = kind === 'messages' ? 'messages' : 'posts';
    throw new ValidationError('in', `must be a channel with ${held}`);
  }
  return {
    kinds: place.id === LOBBY_ID ? ['lobby'] : kinds,
    words: [placeWord(place.id)],
    hidden: [],
    places: new Map([[place.id, place.communityId]]),
  };
}

/**
 * The scope of everything that the caller sees in the communities that they follow, and in the lobby if it is open to them. Throws
 * ForbiddenError.
 */
async function everywhere(ctx: PlacesContext, actor: Actor, kind: SearchedKinds): Promise<Scope> {
  await requireReader(ctx, actor);
  const isAccount = actor.kind === 'account';
  const own = scopeIn(isAccount ? await ownAccess(ctx, actor) : [], []);
  const hasLobby = lobbySightOf(ctx.settings.lobby, isAccount).reads;
  if (hasLobby) await findPlace(ctx, actor, LOBBY_ID);
  const kinds = kindsOf(kind);
  return {
    kinds: kinds.includes('messages') ? ['lobby', ...kinds] : kinds,
    words: hasLobby ? [placeWord(LOBBY_ID), ...own.words] : own.words,
    hidden: own.hidden,
    places: hasLobby ? new Map([...own.places, [LOBBY_ID, '']]) : own.places,
  };
}

/** Returns the access of the caller to each of their communities that they follow. */
async function ownAccess(ctx: PlacesContext, actor: Account): Promise<readonly Access[]> {
  const members = await readMemberships(ctx.database.reader, actor.user_id);
  const communities = await ctx.communities.all(members.map(({ communityId }) => communityId));
  return members.flatMap((member) => {
    const community = communities.get(member.communityId);
    return community !== undefined && sightOf(community, member.userId).follows
      ? [accessOf(ctx, actor, { community, member })]
      : [];
  });
}

/** The scope of all channels of communities that the caller sees. */
function scopeIn(all: readonly Access[], kinds: readonly IndexedKind[]): Scope {
  const places = new Map(
    all.flatMap((access) =>
      Array.from(seenChannels(access).keys(), (id) => [id, access.community.stored.id] as const),
    ),
  );
  const ids = all.flatMap(({ community }) => [...community.channelById.keys()]);
  return {
    kinds,
    words: all.map(({ community }) => communityWord(community.stored.id)),
    hidden: ids.filter((id) => !places.has(id)).map(placeWord),
    places,
  };
}

function kindsOf(kind: SearchedKinds): readonly SearchedKind[] {
  return kind === 'all' ? SEARCHED_KINDS : [kind];
}

function holds(place: ChannelKind, kind: SearchedKind): boolean {
  return (place === 'posts') === (kind !== 'messages');
}
