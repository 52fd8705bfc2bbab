import type { Id, Notification, NotificationMark } from '@hearth/protocol';
import {
  receivedNotificationMark,
  receivedNotifications,
} from '@hearth/protocol/received-communities';
import type { Api } from './api.ts';
import type { RequestOptions } from './types.ts';

/** Which notifications: before or after ids. */
export interface NotificationQuery {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  /** 1 to 100, 50 by default. */
  readonly limit?: number | undefined;
}

/** Notifications of the person who is signed in, such as mentions. The event `notification` reports new ones. */
export class NotificationsClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** The newest first. */
  list(
    query: NotificationQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<readonly Notification[]> {
    return this.#api.request({
      method: 'GET',
      path: '/users/me/notifications',
      limit: 'list',
      query: { ...query },
      answers: receivedNotifications,
      signal,
    });
  }

  /** Marks all notifications up to this one as read. */
  markRead(id: Id, { signal }: RequestOptions = {}): Promise<NotificationMark> {
    return this.#api.request({
      method: 'PUT',
      path: '/users/me/notifications/read',
      limit: 'write',
      body: { last_read_id: id },
      answers: receivedNotificationMark,
      signal,
    });
  }
}
