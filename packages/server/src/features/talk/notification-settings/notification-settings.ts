export { findNotificationSettings } from './find-settings.ts';
