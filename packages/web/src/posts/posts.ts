import type { Id, Vote } from '@hearth/protocol';
import type { SdkClock } from '@hearth/sdk';
import type { PagedList } from '../communities/paged-list.ts';
import { ChannelDetails } from './channel-details.ts';
import { Threads } from './comments/threads.ts';
import { KnownPosts } from './known-posts.ts';
import { PostLists } from './list/post-lists.ts';
import { PollEnds } from './post/poll-ends.ts';
import { PostChanges } from './post-changes.ts';
import { postPath } from './post-paths.ts';
import type { PostRequests, PostSource, VotedOn } from './post-source.ts';
import { voterList } from './voters/voter-list.ts';
import { keepingVotes, VoteSender, withTotals } from './votes.ts';

interface PostsOptions {
  readonly source: PostSource;
  readonly clock: SdkClock;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
  /** Says why something that was shown at once has failed. */
  readonly fail: (error: unknown) => void;
  readonly nonce: () => string;
  readonly lastRead: (channel: Id) => Id | undefined;
}

/** The posts of an instance: those that are known, the lists of them, those that are open, and what the reader does with them. */
export class Posts implements Disposable {
  readonly known = new KnownPosts();
  readonly details = new ChannelDetails();
  readonly pollEnds: PollEnds;
  readonly lists: PostLists;
  readonly threads: Threads;
  readonly changes: PostChanges;
  /** Up to where the reader has read a channel. */
  readonly lastRead: (channel: Id) => Id | undefined;
  readonly #requests: PostRequests;
  readonly #offs: readonly (() => void)[];

  constructor(options: PostsOptions) {
    const { owner, clock, fail, nonce } = options;
    const { known } = this;
    const votes = new VoteSender();
    const requests = keepingVotes(options.source.requests, votes);
    const source = { ...options.source, requests };
    this.#requests = requests;
    this.pollEnds = new PollEnds({ clock, known, find: (id) => requests.find(id) });
    this.lists = new PostLists({ requests, known, owner });
    this.threads = new Threads({ source, known, votes, owner, fail, nonce });
    this.changes = new PostChanges({ requests, known, lists: this.lists, votes, fail });
    this.lastRead = options.lastRead;
    this.#offs = [
      source.on('post', (post) => {
        known.hear(post);
        this.lists.hear(post);
      }),
      source.on('postUpdate', (post) => known.hear(post)),
      source.on('postDelete', ({ id }) => {
        known.forget(id);
        this.lists.forget(id);
      }),
      source.on('score', ({ post_id: id, ...score }) => {
        if (score.comment_id === undefined) known.change(id, (post) => withTotals(post, score));
        else this.threads.known(id)?.hearScore({ post_id: id, ...score });
      }),
      source.on('gap', () => this.lists.refresh()),
    ];
  }

  /** Returns the list of who voted how, for people who may see that. */
  voters(on: VotedOn): PagedList<Vote> {
    return voterList(this.#requests, on);
  }

  /** The path of a post of any community; undefined if it is not there for the reader. Never rejects. */
  async pathOf(id: Id): Promise<string | undefined> {
    const requests = this.#requests;
    try {
      const post = this.known.at(id).peek() ?? (await requests.find(id));
      this.known.learn(post);
      return postPath(await requests.slugOf(post.community_id), post);
    } catch {
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.threads[Symbol.dispose]();
    for (const off of this.#offs) off();
  }
}
