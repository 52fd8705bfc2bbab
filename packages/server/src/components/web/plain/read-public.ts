import { NotFoundError, type Comment, type Community, type Id, type Post } from '@hearth/protocol';
import { ANYONE } from '../../../actor.ts';
import { listComments } from '../../../features/comments/list-comments.ts';
import { accessToChannel } from '../../../features/communities/access.ts';
import type { CommunityContext } from '../../../features/communities/community-context.ts';
import { listChannelPosts, listCommunityPosts } from '../../../features/post-lists/list-posts.ts';
import { listUserPosts } from '../../../features/post-lists/list-user-posts.ts';
import type { Describing } from './describing.ts';

/** How many posts a page or a feed lists. */
const MOST_POSTS = 50;

/** How many comments a page shows. */
const MOST_COMMENTS = 100;

/** How deep comments are on a page without scripts. */
const DEEPEST = 8;

/** A post and the community that it is in. */
export interface PublicPost {
  readonly post: Post;
  readonly community: Pick<Community, 'name' | 'slug' | 'visibility'>;
}

type Sort = 'hot' | 'new';

/** Reads what visitors may read of posts. What was read a moment ago is read from memory, if they may still read it. */
export class PublicPosts {
  readonly #ctx: CommunityContext;
  readonly #describing: Describing;

  constructor(ctx: CommunityContext, describing: Describing) {
    this.#ctx = ctx;
    this.#describing = describing;
  }

  /** The posts of a community. */
  ofCommunity(id: Id, sort: Sort): Promise<readonly PublicPost[]> {
    return this.#list(['community', id, sort], () =>
      listCommunityPosts(this.#ctx, ANYONE, { community_id: id, sort, limit: MOST_POSTS }),
    );
  }

  /** The posts of a channel. Rejects with NotFoundError, and with ValidationError if it holds no posts. */
  async ofChannel(id: Id, sort: Sort): Promise<readonly PublicPost[]> {
    await accessToChannel(this.#ctx, ANYONE, id);
    return await this.#list(['channel', id, sort], () =>
      listChannelPosts(this.#ctx, ANYONE, { channel_id: id, sort, limit: MOST_POSTS }),
    );
  }

  /** The newest posts of a person. */
  async ofUser(id: Id): Promise<readonly PublicPost[]> {
    const posts = await this.#list(['user', id], () =>
      listUserPosts(this.#ctx, ANYONE, { id, limit: MOST_POSTS }),
    );
    return posts.filter(({ community }) => community.visibility === 'public');
  }

  /** How a post that visitors may read is shown, with the beginning of its tree of comments, each before its replies. */
  async shown<Shown extends object>(
    { id, version, comment_count: count, score }: Post,
    around: readonly string[],
    show: (tree: readonly Comment[]) => Promise<Shown>,
  ): Promise<Shown> {
    return await this.#describing.remembered(
      ['post', id, version, count, String(score), ...around],
      async () => {
        const query = { post_id: id, sort: 'top', depth: DEEPEST, limit: MOST_COMMENTS } as const;
        const page = count === 0 ? undefined : await listComments(this.#ctx, ANYONE, query);
        return await show(page?.entries ?? []);
      },
    );
  }

  async #list(
    key: readonly string[],
    read: () => Promise<{ readonly entries: readonly Post[] }>,
  ): Promise<readonly PublicPost[]> {
    const { entries } = await this.#describing.remembered(key, read);
    const seen = await this.#seen(entries);
    return entries.flatMap((post) => {
      const community = seen.get(post.channel_id);
      return community === undefined ? [] : [{ post, community }];
    });
  }

  /** The communities of the channels of posts that visitors may read now. */
  async #seen(posts: readonly Post[]): Promise<ReadonlyMap<Id, PublicPost['community']>> {
    const seen = new Map<Id, PublicPost['community']>();
    for (const id of new Set(posts.map(({ channel_id: channelId }) => channelId))) {
      try {
        const { community } = await accessToChannel(this.#ctx, ANYONE, id);
        seen.set(id, community.stored);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    return seen;
  }
}
