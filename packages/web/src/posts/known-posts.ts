import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { parseId, type Id, type Post } from '@hearth/protocol';
import { withTotals } from './votes.ts';

/** The number of posts that are remembered although nothing shows them. */
const MOST_KNOWN = 3_000;

/** The posts that the page has seen, each once, by their ids. */
export class KnownPosts {
  readonly #posts = new Map<Id, Signal<Post | undefined>>();

  /** A post, which may change; undefined while it is not known, or after it was deleted. */
  at(id: Id): ReadonlySignal<Post | undefined> {
    return this.#at(id);
  }

  /** The post with this id, as it is written in the page. */
  find(id: string): Post | undefined {
    const known = parseId(id);
    return known === undefined ? undefined : this.#posts.get(known)?.peek();
  }

  /** A post as it was asked for. A list has only the beginning of its text. */
  learn(post: Post): void {
    const known = this.#at(post.id);
    const { value } = known;
    if (value !== undefined && value.version > post.version) {
      known.value = withCounts(value, post);
      return;
    }
    const isCut = post.content_cut === true && value !== undefined;
    const hasWhole = isCut && value.content_cut === undefined && value.version === post.version;
    if (!hasWhole) {
      known.value = post;
      return;
    }
    const { content_cut: _, ...rest } = post;
    known.value = { ...rest, ...(value.content !== undefined && { content: value.content }) };
  }

  /** A post as an event reports it, which is the same for all readers. */
  hear(post: Post): void {
    const known = this.#at(post.id);
    const { value } = known;
    if (value !== undefined && value.version > post.version) return;
    known.value = value === undefined ? post : withOwn(post, value);
  }

  /** Changes a post, if it is known. */
  change(id: Id, how: (post: Post) => Post): void {
    const known = this.#at(id);
    const { value } = known;
    if (value !== undefined) known.value = how(value);
  }

  /** A post is gone. */
  forget(id: Id): void {
    this.#at(id).value = undefined;
  }

  #at(id: Id): Signal<Post | undefined> {
    const known = this.#posts.get(id) ?? signal<Post | undefined>(undefined);
    this.#posts.delete(id);
    this.#posts.set(id, known);
    for (const oldest of this.#posts.keys()) {
      if (this.#posts.size <= MOST_KNOWN) break;
      this.#posts.delete(oldest);
    }
    return known;
  }
}

/** A newer post with the counters of an answer that was on its way. */
function withCounts(post: Post, { my_vote: vote, ...answer }: Post): Post {
  const { my_vote: _, ...rest } = withTotals(post, answer);
  return { ...rest, ...(vote !== undefined && { my_vote: vote }) };
}

/** Returns a post with what only the reader has, which stays. */
function withOwn(post: Post, known: Post): Post {
  const { my_vote: vote, saved, new_comments: news } = known;
  const mine = known.poll?.my_votes;
  return {
    ...post,
    ...(vote !== undefined && { my_vote: vote }),
    ...(saved !== undefined && { saved }),
    ...(news !== undefined && { new_comments: news }),
    ...(post.poll !== undefined &&
      known.poll !== undefined && { poll: withOwnVotes(post.poll, known.poll, mine) }),
  };
}

function withOwnVotes(
  poll: NonNullable<Post['poll']>,
  known: NonNullable<Post['poll']>,
  mine: readonly Id[] | undefined,
): NonNullable<Post['poll']> {
  const counts = new Map(known.options.map(({ id, votes }) => [id, votes]));
  return {
    ...poll,
    options: poll.options.map((option) => {
      const votes = option.votes ?? counts.get(option.id);
      return { ...option, ...(votes !== undefined && { votes }) };
    }),
    ...(mine !== undefined && { my_votes: [...mine] }),
  };
}
