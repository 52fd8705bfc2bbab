import type { EndsWithMembership } from './features/communities/members/end-membership.ts';
import { forgetNotificationSettings } from './features/talk/notification-settings/forget-settings.ts';
import { forgetNotificationsIn } from './features/talk/notifications/forget-notifications.ts';
import { forgetReadStates } from './features/talk/read-states/forget-read-states.ts';

/** What is done when a membership ends, by the features that keep something of members. */
export const MEMBERSHIP_ENDERS: readonly EndsWithMembership[] = [
  forgetReadStates,
  forgetNotificationSettings,
  forgetNotificationsIn,
];
