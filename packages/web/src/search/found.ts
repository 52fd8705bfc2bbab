import type { Id, SearchedKind } from '@hearth/protocol';
import type { LobbyMessage, RequestOptions, SearchPage, SearchQuery } from '@hearth/sdk';

/** The place where something was found that may be of another place than the one where it is shown. */
export interface FoundIn {
  /** The channel. */
  readonly name: string;
  /** Its address. */
  readonly url: string;
  /** The title of a post. */
  readonly title?: string | undefined;
  /** The title of the post to which a comment belongs; undefined if it is not known. */
  readonly on?: string | undefined;
}

/** Something that a search has found, in the shape of a message; without `foundIn`, in the conversation itself. */
export type Found = LobbyMessage & {
  readonly foundIn?: FoundIn;
  /** The channel of a message. */
  readonly channel_id?: Id;
};

/** A search in more than one channel. */
export interface WiderSearch {
  /** Returns the name of what is searched, for the reader. */
  readonly name: () => string;
  /** Returns what there is to search. */
  readonly kinds: () => readonly SearchedKind[];
  search(
    kind: SearchedKind,
    query: SearchQuery,
    options?: RequestOptions,
  ): Promise<SearchPage<Found>>;
}
