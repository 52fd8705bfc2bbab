import { signal } from '@preact/signals';
import type { Id, NewPost, Post } from '@hearth/protocol';
import { NetworkError, ServerError } from '@hearth/sdk';
import type { DraftPlace } from './kept-drafts.ts';
import { newPostOf, type PostDraft } from './post-draft.ts';

/** A post on its way. */
export interface PendingPost {
  /** Sent with each try, so that it is posted once. */
  readonly nonce: string;
  readonly channel: Id;
  readonly place: DraftPlace;
  readonly draft: PostDraft;
  readonly post: NewPost;
  /** Why it was not posted. */
  readonly error?: unknown;
}

interface OutboxOptions {
  readonly create: (channel: Id, post: NewPost) => Promise<Post>;
  readonly wait: (ms: number) => Promise<void>;
  readonly nonce: () => string;
  readonly now: () => number;
}

/** How long it waits before each further try after nothing was answered. */
const WAITS_MS = [1_000, 3_000, 10_000, 30_000];

/** The posts that were sent and have not arrived. They are shown at once. */
export class PostOutbox {
  readonly pending = signal<readonly PendingPost[]>([]);
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Posts a draft. Resolves with the post, or with undefined if it has failed; then it stays here. Never rejects. */
  async send(
    input: Pick<PendingPost, 'channel' | 'place' | 'draft'> & Pick<NewPost, 'from_message'>,
  ): Promise<Post | undefined> {
    const { nonce: newNonce, now } = this.#options;
    const { channel, place, draft, from_message: from } = input;
    const nonce = newNonce();
    const post = {
      ...newPostOf(draft, now()),
      nonce,
      ...(from !== undefined && { from_message: from }),
    };
    const pending = { nonce, channel, place, draft, post };
    this.pending.value = [...this.pending.peek(), pending];
    return this.#deliver(pending);
  }

  /** Tries again one that has failed. Never rejects. */
  async retry(nonce: string): Promise<Post | undefined> {
    const failed = this.pending.peek().find((each) => each.nonce === nonce);
    if (failed === undefined) return undefined;
    const { error: _, ...pending } = failed;
    this.#replace(pending);
    return this.#deliver(pending);
  }

  /** Takes one that has failed out of it. */
  drop(nonce: string): void {
    this.pending.value = this.pending.peek().filter((each) => each.nonce !== nonce);
  }

  async #deliver(pending: PendingPost): Promise<Post | undefined> {
    const { create, wait } = this.#options;
    for (let count = 0; ; count += 1) {
      try {
        const post = await create(pending.channel, pending.post);
        this.drop(pending.nonce);
        return post;
      } catch (error) {
        const waitMs = WAITS_MS[count];
        const isPassing = error instanceof NetworkError || error instanceof ServerError;
        if (!isPassing || waitMs === undefined) {
          this.#replace({ ...pending, error });
          return undefined;
        }
        await wait(waitMs);
      }
    }
  }

  #replace(pending: PendingPost): void {
    this.pending.value = this.pending
      .peek()
      .map((each) => (each.nonce === pending.nonce ? pending : each));
  }
}
