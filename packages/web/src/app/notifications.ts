import type { MessageEntry } from '../conversation/messages/entry.ts';
import { shownName } from '../conversation/author.ts';
import { notificationPermission } from '../settings/notification-permission.ts';
import type { AppState } from './state.ts';

const MOST_CHARACTERS = 200;

/** The text of a notification for a message; a file's address says nothing. */
export function notificationBody(text: string, file: string): string {
  const body = text === '' ? file : text;
  return body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…`.toWellFormed() : body;
}

/** Announces new messages while the page is hidden, if notifications were switched on. */
export function startNotifications(state: AppState): () => void {
  const { messages } = state.lobby;
  return messages.onMessage((message) => {
    const isAsked = state.settings.notifications.peek() && notificationPermission() === 'granted';
    if (isAsked && document.hidden && !message.isOwn) void notify(state, message);
  });
}

async function notify(state: AppState, { author, content }: MessageEntry): Promise<void> {
  const { texts, attachments, instance } = state;
  const { file } = texts.catalogue.peek().shell.notification;
  const title = `${shownName(author)} · ${instance.info.instance_name}`;
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
