import {
  notificationChoiceSchema,
  notificationSettingListSchema,
  notificationSettingSchema,
} from '@hearth/protocol/schemas';
import { channelParams, communityParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { listNotificationSettings } from './find-settings.ts';
import { setChannelNotifications, setCommunityNotifications } from './set-notifications.ts';

const tag = 'reading';

const setting = {
  method: 'PUT',
  tag,
  limit: 'write',
  auth: 'user',
  body: notificationChoiceSchema,
  answers: notificationSettingSchema,
  throws: ['ForbiddenError'],
} as const;

/** Routes of the REST service about of what people are notified. */
export const notificationSettingRoutes = [
  route({
    ...setting,
    path: '/communities/:community_id/notifications',
    name: 'setCommunityNotifications',
    summary: 'Choose of what a community notifies you',
    params: communityParams,
    handle: setCommunityNotifications,
  }),
  route({
    ...setting,
    path: '/channels/:channel_id/notifications',
    name: 'setChannelNotifications',
    summary: 'Choose of what a channel notifies you',
    params: channelParams,
    handle: setChannelNotifications,
  }),
  route({
    method: 'GET',
    path: '/users/me/notification-settings',
    name: 'listNotificationSettings',
    tag,
    summary: 'List of what you have chosen to be notified',
    limit: 'list',
    auth: 'user',
    answers: notificationSettingListSchema,
    throws: ['ForbiddenError'],
    handle: listNotificationSettings,
  }),
];
