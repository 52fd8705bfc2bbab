import {
  channelSightOf,
  ValidationError,
  type ChannelKind,
  type Id,
  type SearchedKind,
  type SearchedPlace,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { accessTo } from '../../communities/structure/structure.ts';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import { findPlace, LOBBY_ID, type PlacesContext } from '../../talk/places/places.ts';
import { communityWord, placeWord } from './index-words.ts';

/** The part of the index that a search may find. */
export interface Scope {
  readonly kind: IndexedKind;
  /** The word of its place or community. */
  readonly word: string;
  /** The words of places in it that are hidden from the caller. */
  readonly hidden: readonly string[];
  sees(placeId: Id): boolean;
}

/** The place and the kind that are searched. */
export interface Searched {
  readonly kind: SearchedKind;
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
    const { viewer, community } = await accessTo(ctx, actor, communityId);
    const channels = [...community.channelById.values()];
    const seen = new Set(
      channels
        .filter(({ levels }) => channelSightOf(viewer, community, levels).reads)
        .map(({ id }) => id),
    );
    const hidden = channels.flatMap(({ id }) => (seen.has(id) ? [] : [placeWord(id)]));
    return { kind, word: communityWord(communityId), hidden, sees: (id) => seen.has(id) };
  }
  const { place } = await findPlace(ctx, actor, named === 'lobby' ? LOBBY_ID : named);
  if (!holds(place.kind, kind)) {
    const held = kind === 'messages' ? 'messages' : 'posts';
    throw new ValidationError('in', `must be a channel with ${held}`);
  }
  return {
    kind: place.id === LOBBY_ID ? 'lobby' : kind,
    word: placeWord(place.id),
    hidden: [],
    sees: (id) => id === place.id,
  };
}

function holds(place: ChannelKind, kind: SearchedKind): boolean {
  return (place === 'posts') === (kind !== 'messages');
}
