import type { Id, Notification } from '@hearth/protocol';

/** The subject of a notification, which has the id of the notification. */
export interface Subject {
  readonly id: Id;
  /** The post that it is, or belongs to; empty for a message. */
  readonly postId: Id | '';
}

/** The fields that name what a notification is about. */
export function describeSubject({
  id,
  postId,
}: Subject): Pick<Notification, 'message_id' | 'post_id' | 'comment_id'> {
  if (postId === '') return { message_id: id };
  return postId === id ? { post_id: id } : { post_id: postId, comment_id: id };
}
