import type { Id, NewPost, Post, PostChange } from '@hearth/protocol';
import { ConflictError } from '@hearth/sdk';
import type { KnownPosts } from './known-posts.ts';
import type { PostLists } from './list/post-lists.ts';
import type { PostRequests, VoteValue } from './post-source.ts';
import { withTotals, withVote, type VoteSender } from './votes.ts';

interface ChangesOptions {
  readonly requests: PostRequests;
  readonly known: KnownPosts;
  readonly lists: PostLists;
  readonly votes: VoteSender;
  /** Says why something that was shown at once has failed. */
  readonly fail: (error: unknown) => void;
}

/** The acts of the reader on posts. */
export class PostChanges {
  readonly #options: ChangesOptions;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async vote(id: Id, value: VoteValue): Promise<void> {
    const { requests, known, fail } = this.#options;
    await this.#options.votes.cast(id, {
      value,
      before: known.at(id).peek()?.my_vote ?? 0,
      show: (shown) => known.change(id, (post) => withVote(post, shown)),
      send: (sent) => requests.vote(id, sent),
      showTotals: (totals) => known.change(id, (post) => withTotals(post, totals)),
      fail,
    });
  }

  /** Saves a post, or does not keep it any more. It shows at once. Never rejects. */
  async save(id: Id, isSaved: boolean): Promise<void> {
    await this.#act(
      id,
      ({ saved: _saved, ...post }) => ({ ...post, ...(isSaved && { saved: true as const }) }),
      (requests) => requests.save(id, isSaved),
    );
    if (isSaved) this.#options.lists.putSaved(id);
  }

  /** Never rejects. */
  async votePoll(id: Id, options: readonly Id[]): Promise<void> {
    const { requests, known, fail } = this.#options;
    try {
      const poll = await requests.votePoll(id, options);
      if (poll !== undefined) known.change(id, (post) => ({ ...post, poll }));
    } catch (error) {
      fail(error);
      // It has ended while it was shown.
      if (!(error instanceof ConflictError)) return;
      await requests.find(id).then((post) => known.learn(post), fail);
    }
  }

  /** Marks a comment as the answer, or none. Never rejects. */
  async accept(id: Id, comment: Id | null): Promise<void> {
    await this.#act(
      id,
      ({ accepted_comment_id: _id, ...post }) => ({
        ...post,
        ...(comment !== null && { accepted_comment_id: comment }),
      }),
      async (requests) => this.#options.known.learn(await requests.accept(id, comment)),
    );
  }

  /** Pins, locks or marks a post. Never rejects. */
  async mark(id: Id, change: Pick<PostChange, 'pinned' | 'locked' | 'spoiler' | 'sensitive'>) {
    await this.#act(
      id,
      (post) => marked(post, change),
      async (requests) => this.#options.known.learn(await requests.change(id, change)),
    );
  }

  /** Throws. */
  async change(id: Id, change: PostChange): Promise<void> {
    const { requests, known } = this.#options;
    known.learn(await requests.change(id, change));
  }

  /** Throws. */
  async create(channel: Id, post: NewPost): Promise<Post> {
    const { requests, known, lists } = this.#options;
    const made = await requests.create(channel, post);
    known.hear(made);
    lists.hear(made);
    return made;
  }

  /** Resolves with whether it is gone. Never rejects. */
  async remove(id: Id): Promise<boolean> {
    const { requests, known, lists, fail } = this.#options;
    try {
      await requests.remove(id);
      known.forget(id);
      lists.forget(id);
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  /** Shows a change at once, and takes it back if it fails. */
  async #act(
    id: Id,
    how: (post: Post) => Post,
    send: (requests: PostRequests) => Promise<unknown>,
  ): Promise<void> {
    const { requests, known, fail } = this.#options;
    const before = known.at(id).peek();
    known.change(id, how);
    try {
      await send(requests);
    } catch (error) {
      if (before !== undefined) known.change(id, () => before);
      fail(error);
    }
  }
}

function marked(post: Post, change: PostChange): Post {
  const { pinned: _1, locked: _2, spoiler: _3, sensitive: _4, ...rest } = post;
  const is = (name: 'pinned' | 'locked' | 'spoiler' | 'sensitive') => change[name] ?? post[name];
  return {
    ...rest,
    ...(is('pinned') === true && { pinned: true }),
    ...(is('locked') === true && { locked: true }),
    ...(is('spoiler') === true && { spoiler: true }),
    ...(is('sensitive') === true && { sensitive: true }),
  };
}
