import {
  type ChannelMessage,
  type Comment,
  type FoundAnywhere,
  type Id,
  type LobbyMessage,
  type Post,
  type SearchedKind,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { completeListed, type StoredComment } from '../../forum/comments/comments.ts';
import { completePosts, type PostsContext } from '../../forum/posts/posts.ts';
import { withFiles, withPeople, type LobbyReading } from '../../talk/lobby/lobby.ts';
import { completeMessages, type StoredMessage } from '../../talk/messages/messages.ts';
import type { PlacesContext } from '../../talk/places/places.ts';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import { isOf, type Entry } from './entries.ts';
import { findEntries, type Found } from './find-entries.ts';
import { readProgress, type SearchProgress } from './progress.ts';
import { scopeOf, type Searched } from './scope.ts';
import { beginIndex } from './store.ts';
import { wantedIn, type SearchInput } from './wanted.ts';

export { Indexer } from './indexer.ts';
export { purgeIndexed } from './purge-indexed.ts';
export { progressText, type SearchProgress } from './progress.ts';
export { searchFacets } from './search-facets.ts';

/** The answers of a search for each kind. */
interface Answers {
  readonly messages: readonly LobbyMessage[] | readonly ChannelMessage[];
  readonly posts: readonly Post[];
  readonly comments: readonly Comment[];
}

type Answer = Answers[SearchedKind][number];

/** The context of a search. */
export type SearchContext = LobbyReading & PlacesContext & PostsContext;

/** The input of a search, without what is searched. */
type SearchGiven = SearchInput & Omit<Searched, 'kind'>;

/**
 * The newest messages, posts or comments that have what is searched, in the lobby unless another place is named. Throws
 * NotFoundError if the caller may not know that the place or community exists, ValidationError if nothing is searched or the place
 * holds nothing of the kind, and ForbiddenError if the access code is needed.
 */
export async function search<Kind extends SearchedKind>(
  ctx: SearchContext,
  actor: Actor,
  input: SearchGiven & { readonly kind: Kind },
): Promise<Found<Answers[Kind]>> {
  const { found, stoppedAt } = await findAnswers(ctx, actor, input);
  return { found: ofKind<Kind>(found.map(({ answer }) => answer)), stoppedAt };
}

/** Searches for all kinds together. Otherwise like {@link search}. */
export async function searchAll(
  ctx: SearchContext,
  actor: Actor,
  input: SearchGiven,
): Promise<Found<readonly FoundAnywhere[]>> {
  const { found, stoppedAt } = await findAnswers(ctx, actor, { ...input, kind: 'all' });
  return { found: found.map(foundAnywhere), stoppedAt };
}

interface Answered {
  readonly kind: IndexedKind;
  readonly answer: Answer;
}

async function findAnswers(
  ctx: SearchContext,
  actor: Actor,
  { kind, in: place, community, ...input }: SearchInput & Searched,
): Promise<Found<readonly Answered[]>> {
  const scope = await scopeOf(ctx, actor, { kind, in: place, community });
  const wanted = wantedIn(input);
  const { found, stoppedAt } = await findEntries(
    ctx,
    { scope, wanted, ...input },
    (entry) => entry,
  );
  const answers = new Map<Id, Answer>();
  for (const [of, entries] of Map.groupBy(found, (entry) => entry.kind)) {
    for (const answer of await COMPLETERS[of](ctx, actor, entries)) answers.set(answer.id, answer);
  }
  const answered = found.flatMap(({ id, kind: of }) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [{ kind: of, answer }];
  });
  return { found: answered, stoppedAt };
}

function foundAnywhere({ kind, answer }: Answered): FoundAnywhere {
  const { id } = answer;
  // Guarantee: an entry of a kind was completed as what that kind answers with.
  switch (kind) {
    case 'posts':
      return { kind, id, post: answer as Post };
    case 'comments':
      return { kind, id, comment: answer as Comment };
    case 'lobby':
    case 'messages':
      return { kind: 'messages', id, message: answer as LobbyMessage | ChannelMessage };
  }
}

function ofKind<Kind extends SearchedKind>(answers: readonly unknown[]): Answers[Kind] {
  // Guarantee: what is found of a kind in a place was completed as what that kind answers with there.
  return answers as unknown as Answers[Kind];
}

type Completer = (
  ctx: SearchContext,
  actor: Actor,
  entries: readonly Entry[],
) => Promise<readonly Answer[]>;

/** Completes entries of each kind for the answer of a search. */
const COMPLETERS: Readonly<Record<IndexedKind, Completer>> = {
  lobby: async (ctx, actor, entries) => {
    const messages = storedOf(entries, 'lobby').map(({ message }) => message);
    return await withPeople(ctx, actor, await withFiles(ctx, messages));
  },
  messages: (ctx, actor, entries) => completeAll(ctx, actor, storedOf(entries, 'messages')),
  posts: (ctx, actor, entries) =>
    completePosts(ctx, actor, { posts: storedOf(entries, 'posts'), isList: true }),
  comments: (ctx, actor, entries) => withSettings(ctx, actor, storedOf(entries, 'comments')),
};

function storedOf<Kind extends IndexedKind>(entries: readonly Entry[], kind: Kind) {
  return entries.flatMap((entry) => (isOf(entry, kind) ? [entry.stored] : []));
}

async function completeAll(
  ctx: SearchContext,
  actor: Actor,
  messages: readonly StoredMessage[],
): Promise<readonly ChannelMessage[]> {
  const complete: ChannelMessage[] = [];
  for (const ofChannel of Map.groupBy(messages, ({ channelId }) => channelId).values()) {
    complete.push(...(await completeMessages(ctx, actor, ofChannel)));
  }
  return complete;
}

async function withSettings(
  ctx: SearchContext,
  actor: Actor,
  comments: readonly StoredComment[],
): Promise<readonly Comment[]> {
  const listed = await Promise.all(
    comments.map(async (comment) => {
      const community = await ctx.communities.get(comment.communityId);
      const channel = community?.channelById.get(comment.channelId);
      return { comment, settings: channel?.postSettings ?? {} };
    }),
  );
  return await completeListed(ctx, actor, listed);
}

/**
 * Begins to make the index again. The instance does so in the background; searches use the former one meanwhile. Throws
 * ForbiddenError.
 */
export async function rebuildSearch(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction((tx) => beginIndex(tx.sql));
}

/** Returns how far the newest index is; undefined if none was begun. Throws ForbiddenError. */
export function showSearchProgress(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
): Promise<SearchProgress | undefined> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return readProgress(database.reader);
}
