import type { Id, Notification, UserSummary } from '@hearth/protocol';
import { describeSubject } from './describe-subject.ts';
import type { StoredNotification } from './store.ts';

/** A notification as its user sees it, without the words that it is about. */
export function describeNotification(
  notification: Omit<StoredNotification, 'userId' | 'isRead'>,
  people: ReadonlyMap<Id, UserSummary>,
): Notification {
  const { id, kind, communityId, channelId, authorId, createdAtMs } = notification;
  const user = people.get(authorId);
  return {
    id,
    kind,
    ...(user !== undefined && { user }),
    ...(communityId !== '' && { community_id: communityId }),
    channel_id: channelId,
    ...describeSubject(notification),
    created_at: createdAtMs,
  };
}
