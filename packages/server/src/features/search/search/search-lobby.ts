import {
  hasTerms,
  MOST_SEARCH_CANDIDATES,
  type Id,
  type LobbyMessage,
  type SearchedContent,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  selectEdits,
  selectIdFrom,
  withFiles,
  withPeople,
  withUsers,
  type KeepsHistory,
  type LobbyReading,
} from '../../talk/lobby/lobby.ts';
import { findPlace, LOBBY_ID, type PlacesContext } from '../../talk/places/places.ts';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { Found } from './channels/search-channels.ts';
import { candidates, type Candidates } from './candidates.ts';
import { foldName, lookedUp, type Wanted } from './index-words.ts';
import { LOBBY_INDEX, selectIndex } from './store.ts';
import { LINK, split, wantedIn, type SearchInput } from './wanted.ts';

/**
 * The newest messages of the lobby that have what is searched. Throws ValidationError if nothing is, and
 * ForbiddenError if the access code is needed.
 */
export async function searchLobby(
  ctx: LobbyReading & PlacesContext,
  actor: Actor,
  { after, before, limit, ...query }: SearchInput,
): Promise<Found<LobbyMessage>> {
  await findPlace(ctx, actor, LOBBY_ID);
  const wanted = wantedIn({ ...query, limit });
  if (ctx.settings.rest.history.messages === 0) return { found: [], stoppedAt: undefined };
  const { found, stoppedAt } = await find(ctx, wanted, { after, before, limit });
  return { found: await withPeople(ctx, actor, found), stoppedAt };
}

async function find(
  ctx: Pick<Context, 'database'> & KeepsHistory & KeepsNamedFiles & KeepsUsers,
  wanted: Wanted,
  { after, before, limit }: Pick<SearchInput, 'after' | 'before' | 'limit'>,
): Promise<Found<LobbyMessage>> {
  const { database, history } = ctx;
  const kept = await history.kept();
  // Before the index is read: what is indexed after this is found as one that is not.
  const edits = await selectEdits(database.reader, MOST_SEARCH_CANDIDATES);
  const index = await selectIndex(database.reader, LOBBY_INDEX);
  const messages: LobbyMessage[] = [];
  const left = () => limit - messages.length;
  const edited = edits.map(({ number }) => number);
  const hunt = { database, kept, index, edited, lookedUp: lookedUp(wanted), after, before, left };
  let cost = 0;
  for await (const each of candidates(hunt)) {
    messages.push(...(await matching(ctx, each.messages, wanted)));
    if (left() <= 0) return { found: messages.slice(0, limit), stoppedAt: undefined };
    cost += each.cost;
    if (cost >= MOST_SEARCH_CANDIDATES)
      return { found: messages, stoppedAt: await placeOf(ctx, each) };
  }
  return { found: messages, stoppedAt: undefined };
}

async function matching(
  ctx: KeepsNamedFiles & KeepsUsers,
  messages: readonly LobbyMessage[],
  { terms, from, has }: Wanted,
): Promise<readonly LobbyMessage[]> {
  // Nobody finds the messages of a deleted account by its name.
  const named = from === undefined ? messages : await withUsers(ctx, messages);
  const found = named.filter(
    ({ author, content }) =>
      (from === undefined || foldName(author) === from) && hasTerms(content, terms, split),
  );
  return (await withFiles(ctx, found)).filter(contains(ctx, has));
}

/** Whether a message has a file, a picture or a link. */
function contains({ namedFiles }: KeepsNamedFiles, has: SearchedContent | undefined) {
  return ({ content, attachments = [] }: LobbyMessage): boolean => {
    switch (has) {
      case undefined:
        return true;
      case 'file':
        return attachments.length > 0;
      case 'picture':
        return attachments.some(({ metadata }) => metadata.type === 'image');
      case 'link':
        return LINK.test(namedFiles.without(content));
    }
  };
}

async function placeOf(
  { database }: Pick<Context, 'database'>,
  { reached }: Candidates,
): Promise<Id | undefined> {
  return 'id' in reached ? reached.id : selectIdFrom(database.reader, reached.number);
}
