export { forgetNotificationsAbout } from './forget-notifications.ts';
export { NotificationSender } from './notification-sender.ts';
export type { HasNotifiedTexts, NotifiedTexts } from './notified-texts.ts';
export { notifyPeople, type Concerning } from './notify-people.ts';
export { readNotificationsOfPost } from './read-notifications-of-post.ts';
export { UnsentNotifications, type KeepsUnsentNotifications } from './unsent-notifications.ts';
