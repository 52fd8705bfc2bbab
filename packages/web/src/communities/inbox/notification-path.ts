import { titleSegment, webPath, type Notification } from '@hearth/protocol';

/** The path of what a notification is about: a message in its channel, a post, or a comment within its tree; undefined if it names nothing. */
export function notificationPath(
  slug: string,
  {
    channel_id,
    message_id,
    post_id,
    comment_id,
    post_title: postTitle,
  }: Pick<Notification, 'channel_id' | 'message_id' | 'post_id' | 'comment_id' | 'post_title'>,
): string | undefined {
  if (post_id !== undefined) {
    const post = { slug, post_id, title: titleSegment(postTitle ?? '') };
    return comment_id === undefined
      ? webPath('post', post)
      : webPath('postComment', { ...post, comment_id });
  }
  if (channel_id === undefined || message_id === undefined) return undefined;
  return webPath('channelMessage', { slug, channel_id, message_id });
}
