import {
  compareIds,
  hasPermission,
  hasTerms,
  MOST_SEARCH_CANDIDATES,
  MOST_SEARCHED_CHANNELS,
  PERMISSIONS,
  type ChannelMessage,
  type Id,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { findLastIds } from '../../channels/find-channels.ts';
import { accessTo, accessToChannel, permissionsIn } from '../../communities/access.ts';
import type { CommunityContext } from '../../communities/community-context.ts';
import type { KnownChannel } from '../../communities/known-communities.ts';
import type { LobbyContext } from '../../lobby/lobby-context.ts';
import {
  completeMessages,
  filesIn,
  requireMessages,
  type StoredMessage,
} from '../../messages/written-messages.ts';
import { findIdsOfNames } from '../../users/find-ids-of-names.ts';
import { lookedUp } from '../index-words.ts';
import { LINK, split, wantedIn, type SearchInput, type Wanted } from '../wanted.ts';
import { channelCandidates, LAST_ID } from './channel-candidates.ts';
import { mergeChannels } from './merge-channels.ts';
import { selectChanges, selectIndexes } from './store.ts';

/** Messages of one channel that are read at once, at least and at most. */
const PAGE = { least: 16, most: 64 } as const;

/** What searching channels needs. */
export interface ChannelSearchContext extends CommunityContext, Pick<LobbyContext, 'namedFiles'> {}

/** What is searched, and where: in a channel, or in all of a community that the caller sees. */
export type ChannelSearchInput = SearchInput &
  ({ readonly channelId: Id } | { readonly communityId: Id });

/** What was found, the newest first. */
export interface ChannelSearchResult {
  readonly messages: readonly ChannelMessage[];
  /** Defined if the search stopped because it had read enough: everything with this id or a newer one was searched. */
  readonly stoppedAt: Id | undefined;
}

/** The channels to search, which belong to one community. */
interface Searched {
  readonly communityId: Id;
  readonly channels: readonly Pick<KnownChannel, 'id'>[];
}

/**
 * The newest messages of channels that have what is searched. Throws NotFoundError if the caller may not know that the
 * channel or community exists, and ValidationError if nothing is searched, or the channel holds no messages.
 */
export async function searchChannels(
  ctx: ChannelSearchContext,
  actor: Actor,
  input: ChannelSearchInput,
): Promise<ChannelSearchResult> {
  const searched = await searchedBy(ctx, actor, input);
  const wanted = wantedIn(input);
  const { from } = wanted;
  const author =
    from === undefined ? undefined : (await findIdsOfNames(ctx.database.reader, [from])).get(from);
  // Nobody has that name.
  if (from !== undefined && author === undefined) return { messages: [], stoppedAt: undefined };
  const ofAuthor = { ...wanted, from: author };
  const { messages, stoppedAt } = await find(ctx, searched, { ...input, wanted: ofAuthor });
  return { messages: await complete(ctx, actor, messages), stoppedAt };
}

async function searchedBy(
  ctx: ChannelSearchContext,
  actor: Actor,
  input: ChannelSearchInput,
): Promise<Searched> {
  if ('channelId' in input) {
    const access = await accessToChannel(ctx, actor, input.channelId);
    requireMessages(access);
    return { communityId: access.channel.communityId, channels: [access.channel] };
  }
  const access = await accessTo(ctx, actor, input.communityId);
  const channels = [...access.community.channelById.values()]
    .filter(({ kind }) => kind === 'messages' || kind === 'announcements')
    .filter((each) => hasPermission(PERMISSIONS, permissionsIn(access, each), 'VIEW'))
    .slice(0, MOST_SEARCHED_CHANNELS);
  return { communityId: input.communityId, channels };
}

interface Search extends Pick<SearchInput, 'after' | 'before' | 'limit'> {
  /** `from` is the id of the author. */
  readonly wanted: Wanted;
}

async function find(
  ctx: ChannelSearchContext,
  { communityId, channels }: Searched,
  { wanted, after, before, limit }: Search,
) {
  const { database } = ctx;
  const { reader } = database;
  const ids = channels.map(({ id }) => id);
  const newestIds = await findLastIds(reader, [communityId]);
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
      newestId,
      index: indexes.get(channelId),
      changed: (changed.get(channelId) ?? []).map(({ id }) => id),
      lookedUp: lookedUp(wanted),
      after,
      before,
      page,
    });
    return [{ candidates, end: earlier(before ?? LAST_ID, idAfter(newestId)) }];
  });
  return await mergeChannels(hunted, { limit, matching: (some) => matching(ctx, some, wanted) });
}

async function matching(
  ctx: ChannelSearchContext,
  messages: readonly StoredMessage[],
  { terms, from, has }: Wanted,
): Promise<readonly StoredMessage[]> {
  const found = messages.filter(
    ({ userId, content }) =>
      (from === undefined || userId === from) && hasTerms(content, terms, split),
  );
  switch (has) {
    case undefined:
      return found;
    case 'link':
      return found.filter(({ content }) => LINK.test(ctx.namedFiles.without(content)));
    case 'file':
    case 'picture': {
      const files = await filesIn(ctx, found);
      return found.filter((message) =>
        message.files.some(({ id }) => {
          const file = files.get(id);
          return file !== undefined && (has === 'file' || file.metadata.type === 'image');
        }),
      );
    }
  }
}

/** The messages with everything that they name, in the same order. */
async function complete(
  ctx: ChannelSearchContext,
  actor: Actor,
  messages: readonly StoredMessage[],
): Promise<readonly ChannelMessage[]> {
  const complete: ChannelMessage[] = [];
  for (const ofChannel of Map.groupBy(messages, ({ channelId }) => channelId).values()) {
    complete.push(...(await completeMessages(ctx, actor, ofChannel)));
  }
  return complete.toSorted((one, other) => compareIds(other.id, one.id));
}

function earlier(one: Id, other: Id): Id {
  return compareIds(one, other) < 0 ? one : other;
}

function idAfter(id: Id): Id {
  // Guarantee: a number after an id is one.
  return String(BigInt(id) + 1n) as Id;
}
