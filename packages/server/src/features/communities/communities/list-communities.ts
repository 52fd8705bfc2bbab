import {
  compareIds,
  foldText,
  sightOf,
  UnauthorizedError,
  wordSplitter,
  type Community,
  type CommunityQuery,
} from '@hearth/protocol';
import { COMMUNITY_SORTS, idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { pageOf, readCursor, type Page } from '../../../page.ts';
import {
  describeCommunity,
  readMemberships,
  selectCommunities,
  sighted,
} from '../structure/structure.ts';
import { requireReader } from '../../accounts/users/users.ts';
import {
  selectListed,
  selectListedOf,
  type ListedCommunity,
  type ListPlace,
} from './listing-store.ts';

/** The number of communities that a search reads at once, and together. */
const READ_AT_ONCE = 500;
const MOST_READ = 10_000;

const placeSchema = z.object({
  sort: z.enum(COMMUNITY_SORTS),
  value: z.int().nonnegative(),
  id: idSchema,
});

/**
 * Public communities, or those of the caller. A page of a search may be short, or even empty, although others follow: so much
 * is read for a page at most. Throws UnauthorizedError for those who have none, and ValidationError for `cursor`.
 */
export async function listCommunities(
  ctx: Context,
  actor: Actor,
  { mine, q = '', sort, cursor, limit }: CommunityQuery,
): Promise<Page<Community>> {
  await requireReader(ctx, actor);
  const after = readCursor(placeSchema.extend({ sort: z.literal(sort) }), cursor);
  const isFound = matcher(q);
  const page =
    mine === undefined
      ? await publicPage(ctx, { isFound, isSearch: q !== '', sort, after, limit })
      : await ownPage(ctx, actor, { isFound, sort, after, limit });
  const found = await selectCommunities(
    ctx.database.reader,
    page.entries.map(({ id }) => id),
  );
  const byId = new Map(found.map((stored) => [stored.id, stored]));
  const entries = page.entries.flatMap(({ id }) => {
    const stored = byId.get(id);
    // It may have become private, or have been deleted, since the page was read.
    const isListed =
      stored !== undefined && (mine !== undefined || sightOf(sighted(stored), undefined).finds);
    return isListed ? [describeCommunity(stored)] : [];
  });
  return { ...page, entries };
}

interface Wanted {
  readonly isFound: (community: ListedCommunity) => boolean;
  readonly sort: CommunityQuery['sort'];
  readonly after: ListPlace | undefined;
  readonly limit: number;
}

async function publicPage(
  { database }: Pick<Context, 'database'>,
  { isFound, isSearch, sort, after, limit }: Wanted & { readonly isSearch: boolean },
): Promise<Page<ListedCommunity>> {
  const found: ListedCommunity[] = [];
  let place = after;
  for (let read = 0; read < MOST_READ;) {
    const most = isSearch ? READ_AT_ONCE : limit + 1;
    const rows = await selectListed(database.reader, { sort, after: place, limit: most });
    found.push(...rows.filter(isFound));
    if (rows.length < most || found.length > limit) return pageOf(found, limit, placeIn(sort));
    place = rows.at(-1);
    read += rows.length;
  }
  // Reached only by a search, which continues after what was read.
  const { cursor } = pageOf(place === undefined ? [] : [place, place], 1, placeIn(sort));
  return { entries: found, cursor };
}

async function ownPage(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  { isFound, sort, after, limit }: Wanted,
): Promise<Page<ListedCommunity>> {
  if (actor.kind !== 'account') throw new UnauthorizedError('token_invalid');
  const members = await readMemberships(database.reader, actor.user_id);
  const ids = members.map(({ communityId }) => communityId);
  const listed = await selectListedOf(database.reader, { ids, sort });
  const own = listed
    .filter((each) => sightOf(sighted(each), actor.user_id).reads)
    .filter(isFound)
    .filter((each) => after === undefined || isAfter(each, after));
  return pageOf(own, limit, placeIn(sort));
}

function isAfter({ value, id }: ListPlace, after: ListPlace): boolean {
  return value < after.value || (value === after.value && compareIds(id, after.id) < 0);
}

function placeIn(sort: CommunityQuery['sort']) {
  return ({ value, id }: ListPlace) => ({ sort, value, id });
}

/** Returns a function that decides whether every word of a search begins a word of a community's name, slug or tags. */
function matcher(q: string): (community: ListedCommunity) => boolean {
  if (q === '') return () => true;
  const splitWords = wordSplitter();
  const wanted = splitWords(foldText(q));
  if (wanted.length === 0) return () => true;
  return ({ name, slug, tags }) => {
    const words = splitWords(foldText([name, slug, ...JSON.parse(tags)].join(' ')));
    const own = [...words, slug];
    return wanted.every((begin) => own.some((word) => word.startsWith(begin)));
  };
}
