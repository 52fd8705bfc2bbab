import type { EndsWithMembership } from './features/members/end-membership.ts';
import { forgetNotificationSettings } from './features/notification-settings/forget-settings.ts';
import { forgetNotificationsIn } from './features/notifications/forget-notifications.ts';
import { forgetReadStates } from './features/read-states/forget-read-states.ts';

/** What is done when a membership ends, by the features that keep something of members. */
export const MEMBERSHIP_ENDERS: readonly EndsWithMembership[] = [
  forgetReadStates,
  forgetNotificationSettings,
  forgetNotificationsIn,
];
