import type { Comment } from '@hearth/protocol';
import { writing, type Now, type Write } from '../../talk/writing/writing.ts';
import { inChannel } from '../../talk/places/places.ts';
import { announceToWatchers } from './announce-comment.ts';
import type { CommentDraft, PlacedComment } from './comment-draft.ts';
import { describeComment } from './describe-comment.ts';
import { placeComments, storePlaced } from './place-comments.ts';

const postOf = ({ draft: { postId } }: Pick<Write<CommentDraft>, 'draft'>) => postId;

/** Writes comments on any posts, those on a post in the order of the list. */
export const writeComments = writing<CommentDraft, PlacedComment, Comment>({
  nonceIn: postOf,
  indexedAs: 'comments',
  isUnread: false,
  postOf,
  place: placeComments,
  async insert(tx, placed) {
    await storePlaced(tx, placed);
    return new Set();
  },
  async send(tx, placed, { ctx }) {
    const nowMs = ctx.clock.unixMs();
    const comments = placed.map(({ comment, draft, turning }) => {
      const posts = new Map(draft.posts && [[comment.id, draft.posts]]);
      const { postSettings } = inChannel(turning.access).channel;
      return describeComment(comment, postSettings, { users: draft.users, posts, nowMs });
    });
    tx.afterCommit(() => {
      for (const [place, comment] of comments.entries()) announce(ctx, comment, placed[place]);
    });
    return comments;
  },
});

/** Sends the watchers of a post what was written there. */
function announce(ctx: Now['ctx'], comment: Comment, placed: PlacedComment | undefined): void {
  if (placed === undefined) return;
  const { draft, post, parentReplyCount, turning } = placed;
  const d = {
    ...comment,
    comment_count: post.commentCount,
    ...(parentReplyCount !== undefined && { parent_reply_count: parentReplyCount }),
    ...(draft.nonce !== '' && { nonce: draft.nonce }),
  };
  const { number } = placed.comment;
  const about = { postId: post.id, channel: inChannel(turning.access).channel, number };
  announceToWatchers(ctx, about, { op: 'COMMENT_CREATE', d });
}
