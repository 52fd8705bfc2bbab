import {
  MOST_COUNTED,
  MOST_FACETS,
  type Id,
  type SearchedKind,
  type SearchedKinds,
  type SearchFacets,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { LOBBY_ID, type PlacesContext } from '../../talk/places/places.ts';
import type { Entry } from './entries.ts';
import { findEntries, type FindingContext, type Found } from './find-entries.ts';
import { foldName } from './index-words.ts';
import { scopeOf, type Scope, type Searched } from './scope.ts';
import { wantedIn, type SearchInput } from './wanted.ts';

type CountingContext = FindingContext & PlacesContext;

/** The input of a count of what a search finds. */
type FacetsInput = Omit<SearchInput, 'limit'> &
  Omit<Searched, 'kind'> & { readonly kind?: SearchedKinds | undefined };

/** The counts, and where the search stopped. */
interface Counted extends Pick<Found<[]>, 'stoppedAt'> {
  readonly facets: SearchFacets;
}

/** Something that was found, as it is counted. */
interface Hit {
  readonly kind: SearchedKind;
  readonly placeId: Id;
  readonly userId: Id | '';
  /** The name of a guest. */
  readonly author: string;
}

/**
 * Counts what a search finds by kind, place and author: the newest entries, as many as are counted at most. Throws what a search
 * throws.
 */
export async function searchFacets(
  ctx: CountingContext,
  actor: Actor,
  { kind = 'all', in: place, community, ...input }: FacetsInput,
): Promise<Counted> {
  const scope = await scopeOf(ctx, actor, { kind, in: place, community });
  const wanted = wantedIn(input);
  const limit = MOST_COUNTED + 1;
  const { found, stoppedAt } = await findEntries(ctx, { scope, wanted, ...input, limit }, hitOf);
  const hits = found.slice(0, MOST_COUNTED);
  const isMore = found.length > hits.length || stoppedAt !== undefined;
  const facets = {
    total: hits.length,
    ...(isMore && { more: true as const }),
    kinds: counts(hits.map((hit) => hit.kind)).map(([of, count]) => ({ kind: of, count })),
    places: await placesIn(ctx, scope, hits),
    authors: await authorsIn(ctx, hits),
  };
  return { facets, stoppedAt };
}

function hitOf({ kind, placeId, userId, author }: Entry): Hit {
  return { kind: kind === 'lobby' ? 'messages' : kind, placeId, userId, author };
}

async function placesIn(
  { communities }: CountingContext,
  { places }: Scope,
  hits: readonly Hit[],
): Promise<SearchFacets['places']> {
  const listed = counts(hits.map(({ placeId }) => placeId)).slice(0, MOST_FACETS);
  return await Promise.all(
    listed.map(async ([id, count]) => {
      if (id === LOBBY_ID) return { place: 'lobby', count } as const;
      const community = places.get(id) ?? '';
      if (community === '') return { place: id, count };
      const channel = (await communities.get(community))?.channelById.get(id);
      return { place: id, community, ...(channel && { name: channel.name }), count };
    }),
  );
}

/** Counts authors, without those of deleted accounts, whom no search names. */
async function authorsIn(
  { users }: CountingContext,
  hits: readonly Hit[],
): Promise<SearchFacets['authors']> {
  const keyOf = ({ userId, author }: Hit) => (userId === '' ? `@${foldName(author)}` : userId);
  const known = await users.all(hits.flatMap(({ userId }) => (userId === '' ? [] : [userId])));
  const byKey = new Map(hits.toReversed().map((hit) => [keyOf(hit), hit]));
  const listed = counts(hits.map(keyOf)).flatMap(([key, count]) => {
    const { userId = '', author = '' } = byKey.get(key) ?? {};
    if (userId === '') return [{ author, count }];
    const user = known.get(userId);
    if (user === undefined || user.deleted === true) return [];
    return [{ author: user.username, user_id: userId, count }];
  });
  return listed.slice(0, MOST_FACETS);
}

/** Counts each value, the most frequent one first; of those that are equally frequent, the one that was met first. */
function counts<Value>(values: readonly Value[]): readonly (readonly [Value, number])[] {
  const met = new Map<Value, number>();
  for (const value of values) met.set(value, (met.get(value) ?? 0) + 1);
  return [...met].toSorted(([, one], [, other]) => other - one);
}
