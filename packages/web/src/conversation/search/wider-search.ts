import type { LobbyMessage, RequestOptions, SearchPage, SearchQuery } from '@hearth/sdk';

/** Where a message was found that may be of another conversation. */
export interface FoundIn {
  readonly name: string;
  /** The address of the message. */
  readonly url: string;
}

/** A message that a search has found; without `foundIn`, in the conversation itself. */
export type FoundMessage = LobbyMessage & { readonly foundIn?: FoundIn };

/** A search in more than one conversation. */
export interface WiderSearch {
  /** What is searched, for the reader. */
  readonly name: () => string;
  search(query: SearchQuery, options?: RequestOptions): Promise<SearchPage<FoundMessage>>;
}
