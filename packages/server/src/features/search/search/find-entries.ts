import { hasTerms, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import type { Context } from '../../../context.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { findIdsOfNames, type KeepsUsers } from '../../accounts/users/users.ts';
import { selectTitles } from '../../forum/posts/posts.ts';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';
import {
  isWithin,
  withFiles,
  withUsers,
  type KeepsHistory,
  type Kept,
} from '../../talk/lobby/lobby.ts';
import { filesIn } from '../../talk/messages/messages.ts';
import { candidates } from './candidates.ts';
import { isOf, readEntries, type Entry } from './entries.ts';
import { foldName, lookedUp, type Wanted } from './index-words.ts';
import type { Scope } from './scope.ts';
import { selectState } from './store.ts';
import { LINK, split, type SearchInput } from './wanted.ts';

/** Characters that are compared before others run. */
const CHARACTERS_A_TURN = 10_000;

/** Characters that cost as much as a short message. */
const CHARACTERS = 4_096;

/** The context of finding entries. */
export type FindingContext = Context & KeepsHistory & KeepsNamedFiles & KeepsUsers;

/** The result of a search, the newest first. */
export interface Found<List extends readonly unknown[]> {
  readonly found: List;
  /** Defined if the search stopped because it had read enough: everything with this id or a newer one was searched. */
  readonly stoppedAt: Id | undefined;
}

/** The words and the scope of a search. */
interface Search extends Pick<SearchInput, 'after' | 'before' | 'limit'> {
  readonly scope: Scope;
  readonly wanted: Wanted;
}

/** The newest entries that have what is searched, of each of which only what is needed is kept. */
export async function findEntries<Needed>(
  ctx: FindingContext,
  search: Search,
  needed: (entry: Entry) => Needed,
): Promise<Found<readonly Needed[]>> {
  const { reader } = ctx.database;
  const { from } = search.wanted;
  const author = from === undefined ? undefined : (await findIdsOfNames(reader, [from])).get(from);
  const kept = search.scope.kinds.includes('lobby') ? await ctx.history.kept() : undefined;
  for (;;) {
    const index = (await selectState(reader))?.searched;
    if (index === undefined) return { found: [], stoppedAt: undefined };
    const found = await findIn(ctx, search, { index, author, kept, needed });
    // Another index has replaced it, so a part of it may have been deleted.
    if ((await selectState(reader))?.searched === index) return found;
  }
}

interface Finding<Needed> {
  readonly index: number;
  /** The account that has the name of the author. */
  readonly author: Id | undefined;
  readonly kept: Kept | undefined;
  readonly needed: (entry: Entry) => Needed;
}

async function findIn<Needed>(
  ctx: FindingContext,
  { scope, wanted, after, before, limit }: Search,
  { index, author, kept, needed }: Finding<Needed>,
): Promise<Found<readonly Needed[]>> {
  const { reader } = ctx.database;
  const { from } = wanted;
  const names = scope.kinds.includes('lobby') && from !== undefined ? [from] : [];
  const authors = author === undefined ? names : [...names, author];
  // Nobody has that name.
  if (from !== undefined && authors.length === 0) return { found: [], stoppedAt: undefined };
  const { anyOf, ...words } = lookedUp(wanted, { kinds: scope.kinds, authors });
  const found: Needed[] = [];
  const left = () => limit - found.length;
  let cost = 0;
  // Few entries are of an author, or of one kind, and many are in a place.
  const sought = { ...words, anyOf: [...anyOf, scope.words], noneOf: scope.hidden };
  for await (const each of candidates({ reader, index, lookedUp: sought, after, before, left })) {
    const entries = await withPosts(reader, await readEntries(reader, each.entries));
    const meant = entries.filter(
      (entry) =>
        scope.places.has(entry.placeId) &&
        (from === undefined || isOf(entry, 'lobby') || entry.userId === author) &&
        (!isOf(entry, 'lobby') || (kept !== undefined && isKept(kept, entry))),
    );
    found.push(...(await matching(ctx, meant, wanted)).map(needed));
    if (left() <= 0) return { found: found.slice(0, limit), stoppedAt: undefined };
    cost += each.cost + each.entries.length;
    cost += entries.reduce((sum, { text }) => sum + Math.floor(text.length / CHARACTERS), 0);
    if (cost >= MOST_SEARCH_CANDIDATES) return { found, stoppedAt: each.reached };
  }
  return { found, stoppedAt: undefined };
}

/** Entries without comments on posts that were deleted, which a job removes later. */
async function withPosts(db: Reader, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const ids = entries.flatMap((entry) => (isOf(entry, 'comments') ? [entry.stored.postId] : []));
  if (ids.length === 0) return entries;
  const posts = await selectTitles(db, [...new Set(ids)]);
  return entries.filter((entry) => !isOf(entry, 'comments') || posts.has(entry.stored.postId));
}

function isKept({ outdated }: Kept, { stored: { number, message } }: Entry<'lobby'>): boolean {
  return isWithin({ ...outdated, after: undefined, before: undefined }, number)(message);
}

async function matching(
  ctx: FindingContext,
  entries: readonly Entry[],
  { terms, from, has }: Wanted,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let examined = 0;
  for (const entry of entries) {
    if (hasTerms(entry.text, terms, split)) found.push(entry);
    examined += entry.text.length;
    if (examined < CHARACTERS_A_TURN) continue;
    examined = 0;
    await letOthersRun();
  }
  const named = from === undefined ? found : await byName(ctx, found, from);
  if (has === undefined) return named;
  if (has === 'link') {
    return named.filter(({ text }) => LINK.test(ctx.namedFiles.without(text)));
  }
  return await withContent(ctx, named, has);
}

/** Entries without those of the lobby whose authors have another name. Nobody finds those of a deleted account by its name. */
async function byName(
  ctx: FindingContext,
  entries: readonly Entry[],
  name: string,
): Promise<readonly Entry[]> {
  const messages = entries.flatMap((entry) => (isOf(entry, 'lobby') ? [entry.stored.message] : []));
  const others = (await withUsers(ctx, messages)).filter(({ author }) => foldName(author) !== name);
  const without = new Set(others.map(({ id }) => id));
  return entries.filter(({ id }) => !without.has(id));
}

/** Entries with a file, or with a picture. */
async function withContent(
  ctx: FindingContext,
  entries: readonly Entry[],
  has: 'file' | 'picture',
): Promise<readonly Entry[]> {
  const messages = entries.flatMap((entry) => (isOf(entry, 'lobby') ? [entry.stored.message] : []));
  const complete = await withFiles(ctx, messages);
  const ofLobby = new Map(complete.map(({ id, attachments = [] }) => [id, attachments]));
  const files = await filesIn(ctx, entries);
  return entries.filter(({ id, files: own }) => {
    const all = ofLobby.get(id) ?? own.flatMap((file) => files.get(file.id) ?? []);
    return all.some(({ metadata }) => has === 'file' || metadata.type === 'image');
  });
}
