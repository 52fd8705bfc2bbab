import type { Comment, Id, PostSettings, UserSummary } from '@hearth/protocol';
import { describeTotals } from '../votes/votes.ts';
import { deletedUser } from '../../accounts/users/users.ts';
import type { StoredComment } from './stored-comment.ts';

/** Everything that comments name. */
export interface Named {
  readonly users: ReadonlyMap<Id, UserSummary>;
  /** The votes of the caller. */
  readonly votes?: ReadonlyMap<Id, 1 | -1>;
  /** The posts that they mention, and that everyone sees who sees the comment; by its id. */
  readonly posts: ReadonlyMap<Id, NonNullable<Comment['mention_posts']>>;
  readonly nowMs: number;
}

/** A comment as clients see it. */
export function describeComment(
  comment: StoredComment,
  settings: PostSettings,
  { users, votes, posts, nowMs }: Named,
): Comment {
  const { id, userId, parentId, editedAtMs, mentions } = comment;
  const userOf = (each: Id) => users.get(each) ?? deletedUser(each);
  const described: Comment = {
    id,
    post_id: comment.postId,
    channel_id: comment.channelId,
    depth: comment.depth,
    created_at: comment.createdAtMs,
    ...describeTotals(comment, comment.createdAtMs, { settings, nowMs }),
    reply_count: comment.replyCount,
    version: comment.version,
  };
  if (parentId !== '') described.parent_id = parentId;
  if (comment.deletedAtMs > 0 || userId === '') {
    described.deleted = true;
  } else {
    described.user = userOf(userId);
    described.content = comment.content;
  }
  if (mentions.users !== undefined) described.mentions = mentions.users.map(userOf);
  const mentioned = posts.get(id);
  if (mentioned !== undefined) described.mention_posts = mentioned;
  if (editedAtMs > 0) described.edited_at = editedAtMs;
  const vote = votes?.get(id);
  if (vote !== undefined) described.my_vote = vote;
  return described;
}

export function peopleIn(comments: Iterable<Pick<StoredComment, 'userId' | 'mentions'>>): Set<Id> {
  const people = new Set<Id>();
  for (const { userId, mentions } of comments) {
    if (userId !== '') people.add(userId);
    for (const id of mentions.users ?? []) people.add(id);
  }
  return people;
}
