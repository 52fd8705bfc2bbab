import type { Id, LobbyMessage, SearchedContent, SearchedPlace } from '@hearth/protocol';
import { receivedMessageList } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { findPage } from './find-page.ts';
import type { RequestOptions } from './types.ts';

/** A search for messages. It needs `text`, `from` or `has`. */
export interface SearchQuery {
  /** Words that a message has to contain, in any order. The last one may be incomplete. Words in quotes form a phrase. */
  readonly text?: string | undefined;
  /** Default: the lobby. `channel.search` returns whole messages of a channel. */
  readonly in?: Exclude<SearchedPlace, 'all'> | undefined;
  /** The whole name of the author. Case and accents do not matter. */
  readonly from?: string | undefined;
  /** A link to a file of the instance is not a `link`. */
  readonly has?: SearchedContent | undefined;
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  /** The largest number of messages to return: 1 to 100, 50 by default. */
  readonly limit?: number | undefined;
}

/** A part of what a search has found. */
export interface SearchPage<Message = LobbyMessage> {
  /** The newest comes first. */
  readonly messages: readonly Message[];
  /**
   * Pass it as `before` to get the next page; undefined if there is none. There may be a next page even if this one has no
   * messages, because an instance reads a limited number of messages for each.
   */
  readonly next: Id | undefined;
}

/** Searches messages. */
export async function searchMessages(
  api: Api,
  search: SearchQuery,
  options: RequestOptions = {},
): Promise<SearchPage> {
  const answers = receivedMessageList;
  const { entries, next } = await findPage(api, search, { answers, ...options });
  return { messages: entries, next };
}
