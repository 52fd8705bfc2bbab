import type { Id } from '@hearth/protocol';
import { readStored, writeStored } from '../../lib/storage.ts';
import { EMPTY_DRAFT, isEmptyDraft, parseDraft, type PostDraft } from './post-draft.ts';

/** What a draft is for: a new post in a channel, or a change of a post. */
export type DraftPlace = `${'new' | 'edit' | 'message'}.${string}`;

/** The posts that somebody has begun to write, kept on the device. */
export class KeptDrafts {
  readonly #storage: Storage | undefined;
  readonly #owner: Id | undefined;

  constructor(storage: Storage | undefined, owner: Id | undefined) {
    this.#storage = storage;
    this.#owner = owner;
  }

  /** The draft for a place, or an empty one. */
  read(place: DraftPlace, empty: PostDraft = EMPTY_DRAFT): PostDraft {
    return parseDraft(readStored(this.#storage, this.#keyOf(place))) ?? empty;
  }

  /** Keeps a draft, unless there is nothing in it. */
  keep(place: DraftPlace, draft: PostDraft): void {
    const text = isEmptyDraft(draft) ? undefined : JSON.stringify(draft);
    writeStored(this.#storage, this.#keyOf(place), text);
  }

  /** Forgets a draft that was posted or discarded. */
  forget(place: DraftPlace): void {
    writeStored(this.#storage, this.#keyOf(place), undefined);
  }

  #keyOf(place: DraftPlace): string {
    return `hearth.post.${this.#owner ?? 'visitor'}.${place}`;
  }
}
