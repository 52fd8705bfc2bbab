import type { MessageEntry } from '../conversation/messages/entry.ts';
import { effect } from '@preact/signals';
import { shownName } from '../conversation/author.ts';
import { notificationPermission } from '../settings/notification-permission.ts';
import type { AppState } from './state.ts';

const MOST_CHARACTERS = 200;

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
  const { messages } = state.lobby;
  const { info } = state.instance;
  const offTitle = effect(() => {
    document.title = titleOf(info.instance_name, messages.unread.value);
  });
  const offMessages = messages.onMessage((message) => {
    const isAsked = state.settings.notifications.peek() && notificationPermission() === 'granted';
    if (isAsked && document.hidden && !message.isOwn) void notify(state, message);
  });
  return () => {
    offTitle();
    offMessages();
  };
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
