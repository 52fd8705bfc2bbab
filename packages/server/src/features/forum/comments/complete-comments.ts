import type { Comment, PostSettings } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { selectTitles, type PostsContext } from '../posts/posts.ts';
import { mentionedPosts, type NamingContext } from '../../talk/mentions/mentions.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { selectVotesOf } from '../votes/votes.ts';
import { describeComment, peopleIn, type Named } from './describe-comment.ts';
import type { StoredComment } from './stored-comment.ts';

/** Comments to show, each with the settings of its channel. */
type Given = readonly { readonly comment: StoredComment; readonly settings: PostSettings }[];

export type NamedInComments = Pick<Named, 'users' | 'posts'>;

export async function namedInComments(
  ctx: NamingContext & KeepsUsers,
  comments: readonly Pick<
    StoredComment,
    'id' | 'userId' | 'channelId' | 'communityId' | 'mentions'
  >[],
): Promise<NamedInComments> {
  const users = await ctx.users.all(peopleIn(comments));
  return { users, posts: await mentionedPosts(ctx, comments) };
}

/** Comments with everything that they name, and with how the caller votes. */
export async function completeComments(
  ctx: PostsContext,
  actor: Actor,
  all: Given,
): Promise<readonly Comment[]> {
  const comments = all.map(({ comment }) => comment);
  const voted = comments.filter(({ upvotes, downvotes }) => upvotes + downvotes > 0);
  const ids = voted.map(({ id }) => id);
  const found = await namedInComments(ctx, comments);
  const votes =
    actor.kind === 'account'
      ? await selectVotesOf(ctx.database.reader, actor.user_id, ids)
      : undefined;
  const named = { ...found, nowMs: ctx.clock.unixMs(), ...(votes && { votes }) };
  return all.map(({ comment, settings }) => describeComment(comment, settings, named));
}

/** Completes comments on several posts, with the title and the place of each post. */
export async function completeListed(
  ctx: PostsContext,
  actor: Actor,
  all: Given,
): Promise<readonly Comment[]> {
  const comments = await completeComments(ctx, actor, all);
  const ids = new Set(comments.map(({ post_id: id }) => id));
  const titles = await selectTitles(ctx.database.reader, [...ids]);
  return comments.map((comment, index) => {
    const title = titles.get(comment.post_id);
    const stored = all[index]?.comment;
    if (title === undefined || stored === undefined) return comment;
    const { postId: id, channelId: channel_id, communityId: community_id } = stored;
    return { ...comment, post: { id, title, channel_id, community_id } };
  });
}
