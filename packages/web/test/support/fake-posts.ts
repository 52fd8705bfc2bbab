import type { Comment, Post } from '@hearth/protocol';
import { manualClock } from '@hearth/testing/manual-clock';
import type { PostEvents, PostRequests, PostSource } from '../../src/posts/post-source.ts';
import { Posts } from '../../src/posts/posts.ts';
import { idOf } from './fake-communities.ts';

/** A post in the channel 2 of the community 1, by the person 7. */
export function post(id: number, parts: Partial<Post> = {}): Post {
  return {
    id: idOf(String(id)),
    channel_id: idOf('2'),
    community_id: idOf('1'),
    user: { id: idOf('7'), username: 'ada' },
    title: `post ${id}`,
    created_at: 0,
    score: 0,
    upvotes: 0,
    downvotes: 0,
    comment_count: 0,
    version: 1,
    ...parts,
  };
}

/** A comment on the post 9 by the person 7. */
export function comment(id: number, parts: Partial<Comment> = {}): Comment {
  return {
    id: idOf(String(id)),
    post_id: idOf('9'),
    channel_id: idOf('2'),
    depth: 0,
    user: { id: idOf('7'), username: 'ada' },
    content: `comment ${id}`,
    created_at: 0,
    score: 0,
    upvotes: 0,
    downvotes: 0,
    reply_count: 0,
    version: 1,
    ...parts,
  };
}

/** Posts that a test reports, and requests that it answers. The reader is the person 8. */
export class FakePosts {
  readonly posts: Posts;
  readonly failures: unknown[] = [];
  readonly clock = manualClock();
  readonly #listeners = new Map<string, (event: unknown) => void>();

  /** Makes requests of which those that `requests` leaves out fail. */
  constructor(requests: Partial<PostRequests> = {}) {
    const others = new Proxy(requests, {
      get: (given, name) =>
        Reflect.get(given, name) ??
        (() => Promise.reject(new Error(`nothing answers ${String(name)}`))),
    });
    const source: PostSource = {
      // Guarantee: the proxy has every name.
      requests: others as PostRequests,
      on: (name, listener) => {
        // Guarantee: `report` passes the events of this name.
        this.#listeners.set(name, listener as (event: unknown) => void);
        return () => this.#listeners.delete(name);
      },
      watch: () => ({ begun: Promise.resolve(), stop: () => {} }),
    };
    this.posts = new Posts({
      clock: this.clock,
      source,
      owner: idOf('8'),
      fail: (error) => this.failures.push(error),
      nonce: () => 'nonce',
      lastRead: () => undefined,
    });
  }

  report<Name extends keyof PostEvents>(name: Name, event: PostEvents[Name]): void {
    this.#listeners.get(name)?.(event);
  }
}
