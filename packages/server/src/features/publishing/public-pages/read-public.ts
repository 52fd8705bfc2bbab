import { sightOf, type Comment, type Community, type Id, type Post } from '@hearth/protocol';
import { ANYONE } from '../../../actor.ts';
import { listComments, type CommentsContext } from '../../forum/comments/comments.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import {
  listChannelPosts,
  listCommunityPosts,
  listUserPosts,
  type KeepsPostOrders,
} from '../../forum/post-lists/post-lists.ts';
import type { PostsContext } from '../../forum/posts/posts.ts';
import { plainPaths } from './addresses.ts';

/** The number of posts that a page or a feed lists. */
const MOST_POSTS = 50;

/** The number of comments that a page shows. */
const MOST_COMMENTS = 100;

/** The depth of comments on a page without scripts. */
const DEEPEST = 8;

/** A post as pages and feeds show it. */
export type PublicPost = Pick<
  Post,
  'id' | 'title' | 'user' | 'content' | 'content_cut' | 'url' | 'spoiler' | 'sensitive'
> &
  Pick<Post, 'created_at' | 'edited_at' | 'score' | 'comment_count'>;

/** A post of a list. */
export interface ListedPost {
  readonly post: PublicPost;
  readonly path: string;
}

type Sort = 'hot' | 'new';

/** The posts of a community that visitors may read. */
export async function postsOfCommunity(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  { id, slug }: Pick<Community, 'id' | 'slug'>,
  sort: Sort,
): Promise<readonly ListedPost[]> {
  const query = { community_id: id, sort, limit: MOST_POSTS };
  const { entries } = await listCommunityPosts(ctx, ANYONE, query);
  return entries.map((post) => listed(post, slug));
}

/** Reads the posts of a channel. Rejects with NotFoundError, and with ValidationError if it holds no posts. */
export async function postsOfChannel(
  ctx: AccessContext & KeepsPostOrders & PostsContext,
  { id, slug }: { readonly id: Id; readonly slug: string },
  sort: Sort,
): Promise<readonly ListedPost[]> {
  const query = { channel_id: id, sort, limit: MOST_POSTS };
  const { entries } = await listChannelPosts(ctx, ANYONE, query);
  return entries.map((post) => listed(post, slug));
}

/** The newest posts of a person in public communities. */
export async function postsOfUser(
  ctx: PostsContext & KeepsSealedCursors,
  id: Id,
): Promise<readonly ListedPost[]> {
  const { entries } = await listUserPosts(ctx, ANYONE, { id, limit: MOST_POSTS });
  const communities = await ctx.communities.all(entries.map((post) => post.community_id));
  return entries.flatMap((post) => {
    const community = communities.get(post.community_id);
    if (community === undefined || !sightOf(community, undefined).finds) return [];
    return [listed(post, community.stored.slug)];
  });
}

/** The beginning of the tree of comments on a post that visitors may read, each before its replies. */
export async function commentsOn(
  ctx: CommentsContext,
  { id, comment_count: count }: Pick<Post, 'id' | 'comment_count'>,
): Promise<readonly Comment[]> {
  if (count === 0) return [];
  const query = { post_id: id, sort: 'top', depth: DEEPEST, limit: MOST_COMMENTS } as const;
  return (await listComments(ctx, ANYONE, query)).entries;
}

function listed(post: Post, slug: string): ListedPost {
  return { post: publicPost(post), path: plainPaths.post({ slug }, post) };
}

/** Returns a post as pages and feeds show it. */
export function publicPost(post: Post): PublicPost {
  const { id, title, user, content, content_cut: isCut, url, spoiler, sensitive } = post;
  const { created_at, edited_at, score, comment_count } = post;
  return {
    id,
    title,
    user,
    created_at,
    comment_count,
    ...(content !== undefined && { content }),
    ...(isCut !== undefined && { content_cut: isCut }),
    ...(url !== undefined && { url }),
    ...(spoiler !== undefined && { spoiler }),
    ...(sensitive !== undefined && { sensitive }),
    ...(edited_at !== undefined && { edited_at }),
    ...(score !== undefined && { score }),
  };
}
