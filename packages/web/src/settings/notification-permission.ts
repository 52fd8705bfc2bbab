/** The browser's permission for notifications of this page. */
export type Permission = NotificationPermission | 'unavailable';

/** The current permission. */
export function notificationPermission(): Permission {
  return 'Notification' in globalThis && isSecureContext ? Notification.permission : 'unavailable';
}

/** Asks for permission if that has not been decided. */
export async function askForNotifications(): Promise<Permission> {
  const permission = notificationPermission();
  return permission === 'default' ? Notification.requestPermission() : permission;
}
