import {
  notificationListSchema,
  notificationMarkSchema,
  notificationQuerySchema,
} from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotifications } from './mark-notifications.ts';

const tag = 'reading';

/** Routes of the REST service about what concerns people. */
export const notificationRoutes = [
  route({
    method: 'GET',
    path: '/users/me/notifications',
    name: 'listNotifications',
    tag,
    summary: 'List the messages that mention you or reply to you, the newest first',
    limit: 'list',
    auth: 'user',
    query: notificationQuerySchema,
    answers: notificationListSchema,
    throws: ['ForbiddenError'],
    handle: listNotifications,
  }),
  route({
    method: 'PUT',
    path: '/users/me/notifications/read',
    name: 'markNotifications',
    tag,
    summary: 'Mark all notifications up to one as read',
    limit: 'write',
    auth: 'user',
    body: notificationMarkSchema,
    answers: notificationMarkSchema,
    handle: markNotifications,
  }),
];
