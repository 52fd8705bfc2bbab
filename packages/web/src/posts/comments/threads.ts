import type { Id } from '@hearth/protocol';
import { keepNewest } from '../keep-newest.ts';
import { Thread, type ThreadOptions } from './thread.ts';

/** The number of open posts that stay. */
const MOST_THREADS = 8;

/** The posts that are open, with their comments. */
export class Threads implements Disposable {
  readonly #options: Omit<ThreadOptions, 'id'>;
  readonly #threads = new Map<Id, Thread>();
  readonly #offs: readonly (() => void)[];

  constructor(options: Omit<ThreadOptions, 'id'>) {
    this.#options = options;
    const { source } = options;
    this.#offs = [
      source.on('comment', (comment) => this.#threads.get(comment.post_id)?.hear(comment)),
      source.on('commentUpdate', (comment) => {
        this.#threads.get(comment.post_id)?.tree.update(comment, true);
      }),
      source.on('commentDelete', (gone) => this.#threads.get(gone.post_id)?.hearRemoval(gone)),
      source.on('missed', (id) => {
        const thread = this.#threads.get(id);
        void thread?.open(thread.linked.peek());
      }),
    ];
  }

  /** An open post as the reader left it, or a new one. */
  of(id: Id): Thread {
    const thread = this.#threads.get(id) ?? new Thread({ id, ...this.#options });
    keepNewest({ map: this.#threads, most: MOST_THREADS }, id, thread);
    return thread;
  }

  /** An open post. */
  known(id: Id): Thread | undefined {
    return this.#threads.get(id);
  }

  /** Reads a post as it is now, and follows its comments until the returned function is called. */
  open(id: Id, comment: Id | undefined): () => void {
    const thread = this.of(id);
    const { begun, stop } = this.#options.source.watch(id);
    // What is read after comments are reported lacks none.
    void begun.then(() => thread.open(comment)).then(() => this.#markRead(id));
    return () => {
      stop();
      void this.#markRead(id);
    };
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }

  async #markRead(id: Id): Promise<void> {
    const { owner, source, known } = this.#options;
    if (owner === undefined || known.at(id).peek() === undefined) return;
    known.change(id, ({ new_comments: _count, ...post }) => post);
    // It is only a mark.
    await source.requests.markRead(id).catch(() => {});
  }
}
