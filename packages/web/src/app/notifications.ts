import { effect } from '@preact/signals';
import type { AppState } from './app-state.ts';
import { shownName } from '../conversation/author.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';

/** The browser's permission for notifications of this page. */
export type Permission = NotificationPermission | 'unavailable';

const MOST_CHARACTERS = 200;

/** The current permission. */
export function notificationPermission(): Permission {
  return 'Notification' in globalThis && isSecureContext ? Notification.permission : 'unavailable';
}

/** Asks for permission if that has not been decided. */
export async function askForNotifications(): Promise<Permission> {
  const permission = notificationPermission();
  return permission === 'default' ? Notification.requestPermission() : permission;
}

/** The page's title: the instance's name, after the number of unread messages. */
export function titleOf(instanceName: string, unread: number): string {
  return unread === 0 ? instanceName : `(${unread > 99 ? '99+' : unread}) ${instanceName}`;
}

/** The text of a notification for a message; a file's address says nothing. */
export function notificationBody(text: string, file: string): string {
  const body = text === '' ? file : text;
  return body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…`.toWellFormed() : body;
}

/** Announces new messages while the page is hidden: by its title and, if they were switched on, notifications. */
export function startNotifications(state: AppState): () => void {
  const { lobby, info } = state;
  const offTitle = effect(() => {
    document.title = titleOf(info.instance_name, lobby.unread.value);
  });
  const offMessages = lobby.onMessage((message) => {
    const isAsked = state.settings.notifications.peek() && notificationPermission() === 'granted';
    if (isAsked && document.hidden && !message.isOwn) void notify(state, message);
  });
  return () => {
    offTitle();
    offMessages();
  };
}

async function notify(state: AppState, { author, content }: MessageEntry): Promise<void> {
  const { texts, attachments, info } = state;
  const { file } = texts.catalogue.peek().shell.notification;
  const title = `${shownName(author)} · ${info.instance_name}`;
  const options: NotificationOptions = {
    body: notificationBody(attachments.split(content).text, file),
    // One for all, so that they do not pile up.
    tag: 'hearth-lobby',
    lang: texts.language.peek(),
    icon: new URL('icon-192.png', document.baseURI).href,
  };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) {
    // Phones have them only through the service worker, which also handles the click.
    await registration.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
}
