import {
  channelSightOf,
  compareIds,
  hasTerms,
  idAfter,
  MOST_SEARCH_CANDIDATES,
  MOST_SEARCHED_CHANNELS,
  ValidationError,
  type Id,
} from '@hearth/protocol';
import { selectChanges } from '../../../talk/index-queue/index-queue.ts';
import type { Actor } from '../../../../actor.ts';
import type { Context } from '../../../../context.ts';
import { letOthersRun } from '../../../../lib/let-others-run.ts';
import { accessTo } from '../../../communities/structure/structure.ts';
import { findPlace, type PlacesContext } from '../../../talk/places/places.ts';
import { filesIn } from '../../../talk/messages/messages.ts';
import type { KeepsNamedFiles } from '../../../files/uploads/uploads.ts';
import { findIdsOfNames } from '../../../accounts/users/users.ts';
import { lookedUp, type Wanted } from '../index-words.ts';
import { LINK, split, wantedIn, type SearchInput } from '../wanted.ts';
import { LAST_ID } from '../later-id.ts';
import { channelCandidates } from './channel-candidates.ts';
import type { Entries, Entry } from './entries.ts';
import { mergeChannels, type FoundEntries } from './merge-channels.ts';
import { selectIndexes } from './store.ts';

/** Entries of one channel that are read at once, at least and at most. */
const PAGE = { least: 16, most: 64 } as const;

/** How many characters are compared before others run. */
const CHARACTERS_A_TURN = 40_000;

/** What is searched, and where: in a channel, or in all of a community that the caller sees. */
export type ChannelSearchInput = SearchInput &
  ({ readonly channelId: Id } | { readonly communityId: Id });

/**
 * The newest messages, posts or comments of channels that have what is searched. Throws NotFoundError if the caller may not
 * know that the channel or community exists, and ValidationError if nothing is searched, or the channel holds nothing of that
 * kind.
 */
export async function findEntries<Stored>(
  ctx: KeepsNamedFiles & PlacesContext,
  actor: Actor,
  { kind, ...input }: ChannelSearchInput & { readonly kind: Entries<Stored> },
): Promise<FoundEntries<Entry<Stored>>> {
  const ids = await placesFor(ctx, actor, { kind, ...input });
  const wanted = wantedIn(input);
  const { from } = wanted;
  const author =
    from === undefined ? undefined : (await findIdsOfNames(ctx.database.reader, [from])).get(from);
  // Nobody has that name.
  if (from !== undefined && author === undefined) return { entries: [], stoppedAt: undefined };
  return await find(ctx, ids, { ...input, kind, wanted: { ...wanted, from: author } });
}

/** The ids of the places to search. */
async function placesFor(
  ctx: PlacesContext,
  actor: Actor,
  { kind, ...input }: ChannelSearchInput & { readonly kind: Pick<Entries, 'areIn' | 'mark'> },
): Promise<readonly Id[]> {
  if ('channelId' in input) {
    const { place } = await findPlace(ctx, actor, input.channelId);
    if (!kind.areIn(place.kind)) {
      const held = kind.mark === undefined ? 'messages' : 'posts';
      throw new ValidationError('in', `must be a channel with ${held}`);
    }
    return [place.id];
  }
  const { viewer, community } = await accessTo(ctx, actor, input.communityId);
  const channels = [...community.channelById.values()]
    .filter((each) => kind.areIn(each.kind))
    .filter(({ levels }) => channelSightOf(viewer, community, levels).reads)
    .slice(0, MOST_SEARCHED_CHANNELS);
  return channels.map(({ id }) => id);
}

interface Search<Stored> extends Pick<SearchInput, 'after' | 'before' | 'limit'> {
  readonly kind: Entries<Stored>;
  /** `from` is the id of the author. */
  readonly wanted: Wanted;
}

async function find<Stored>(
  ctx: Context & KeepsNamedFiles,
  ids: readonly Id[],
  { kind, wanted, after, before, limit }: Search<Stored>,
): Promise<FoundEntries<Entry<Stored>>> {
  const { database } = ctx;
  const { reader } = database;
  const newestIds = await kind.newest(reader, ids);
  // Before the indexes are read: what is indexed after this is found as one that is not.
  const changes = await selectChanges(reader, ids, MOST_SEARCH_CANDIDATES);
  const indexes = await selectIndexes(reader, ids);
  const changed = Map.groupBy(changes, ({ channelId }) => channelId);
  const share = Math.floor(MOST_SEARCH_CANDIDATES / 2 / Math.max(1, ids.length));
  const page = Math.max(PAGE.least, Math.min(PAGE.most, share));
  const hunted = ids.flatMap((channelId) => {
    const newestId = newestIds.get(channelId);
    if (newestId === undefined) return [];
    const candidates = channelCandidates({
      database,
      channelId,
      kind,
      newestId,
      index: indexes.get(channelId),
      changed: (changed.get(channelId) ?? []).map(({ id }) => id),
      lookedUp: lookedUp(wanted, kind.mark),
      after,
      before,
      page,
    });
    return [{ candidates, end: earlier(before ?? LAST_ID, idAfter(newestId) ?? LAST_ID) }];
  });
  return await mergeChannels(hunted, { limit, matching: (some) => matching(ctx, some, wanted) });
}

async function matching<Found extends Entry>(
  ctx: Context & KeepsNamedFiles,
  entries: readonly Found[],
  { terms, from, has }: Wanted,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  let examined = 0;
  for (const entry of entries) {
    if (from !== undefined && entry.userId !== from) continue;
    if (hasTerms(entry.text, terms, split)) found.push(entry);
    examined += entry.text.length;
    if (examined < CHARACTERS_A_TURN) continue;
    examined = 0;
    await letOthersRun();
  }
  switch (has) {
    case undefined:
      return found;
    case 'link':
      return found.filter(({ text }) => LINK.test(ctx.namedFiles.without(text)));
    case 'file':
    case 'picture': {
      const files = await filesIn(ctx, found);
      return found.filter((entry) =>
        entry.files.some(({ id }) => {
          const file = files.get(id);
          return file !== undefined && (has === 'file' || file.metadata.type === 'image');
        }),
      );
    }
  }
}

function earlier(one: Id, other: Id): Id {
  return compareIds(one, other) < 0 ? one : other;
}
