import type { Comment, Id, PostSettings, UserSummary } from '@hearth/protocol';
import { describeTotals } from '../posts/hidden-scores.ts';
import { deletedUser } from '../users/deleted-user.ts';
import type { StoredComment } from './stored-comment.ts';

/** What is known about everything that comments name. */
export interface Named {
  readonly users: ReadonlyMap<Id, UserSummary>;
  /** How the caller votes. */
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
  const { id, userId, parentId, editedAtMs, deletedAtMs, mentions } = comment;
  const userOf = (each: Id) => users.get(each) ?? deletedUser(each);
  const [vote, mentioned] = [votes?.get(id), posts.get(id)];
  const isThere = deletedAtMs === 0 && userId !== '';
  return {
    id,
    post_id: comment.postId,
    channel_id: comment.channelId,
    ...(parentId !== '' && { parent_id: parentId }),
    depth: comment.depth,
    ...(isThere && { user: userOf(userId), content: comment.content }),
    ...(mentions.users !== undefined && { mentions: mentions.users.map(userOf) }),
    ...(mentioned !== undefined && { mention_posts: mentioned }),
    created_at: comment.createdAtMs,
    ...(editedAtMs > 0 && { edited_at: editedAtMs }),
    ...describeTotals(comment, comment.createdAtMs, { settings, nowMs }),
    reply_count: comment.replyCount,
    ...(vote !== undefined && { my_vote: vote }),
    ...(!isThere && { deleted: true as const }),
    version: comment.version,
  };
}

/** The people whom comments name. */
export function peopleIn(comments: Iterable<StoredComment>): Set<Id> {
  const people = new Set<Id>();
  for (const { userId, mentions } of comments) {
    if (userId !== '') people.add(userId);
    for (const id of mentions.users ?? []) people.add(id);
  }
  return people;
}
