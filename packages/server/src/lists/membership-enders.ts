import type { EndsWithMembership } from '../features/communities/members/end-membership.ts';
import { forgetNotificationSettings } from '../features/talk/notification-settings/forget-settings.ts';
import { forgetNotificationsIn } from '../features/talk/notifications/forget-notifications.ts';
import { forgetReadStates } from '../features/talk/read-states/forget-read-states.ts';

/** Functions that remove what features keep of a member when the membership ends. */
export const MEMBERSHIP_ENDERS: readonly EndsWithMembership[] = [
  forgetReadStates,
  forgetNotificationSettings,
  forgetNotificationsIn,
];
