import { mentionsName, plainTextOf } from '@hearth/sdk';
import type { Attachments } from '../conversation/attachments/attachments.ts';
import { shownName } from '../conversation/author.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';
import { CleanUp } from '../lib/clean-up.ts';
import { notificationPermission } from '../settings/notification-permission.ts';
import { playSound } from '../settings/sound.ts';
import type { AppState } from './state.ts';

const MOST_CHARACTERS = 200;

/** One notification for each conversation, so that they do not pile up. */
const TAG = 'hearth-lobby';

/** The text of a notification for a message: its words, or what it has in their place. */
export function notificationBody(
  { text, ids }: ReturnType<Attachments['split']>,
  words: { readonly file: string; readonly newMessage: string },
): string {
  const plain = plainTextOf(text) || (ids.length > 0 ? words.file : words.newMessage);
  return plain.length > MOST_CHARACTERS
    ? `${plain.slice(0, MOST_CHARACTERS)}…`.toWellFormed()
    : plain;
}

/** Announces new messages while the page is hidden, if the reader wants that; returns a function that stops it. */
export function startNotifications(state: AppState): () => void {
  const { settings, lobby } = state;
  const cleanUp = new CleanUp();
  let count = 0;
  const look = () => {
    if (document.hidden || count === 0) return;
    count = 0;
    void closeNotifications();
  };
  document.addEventListener('visibilitychange', look);
  cleanUp.defer(() => document.removeEventListener('visibilitychange', look));
  cleanUp.defer(
    lobby.messages.onMessage((message) => {
      if (!document.hidden || message.isOwn) return;
      const isWanted =
        !settings.mentionsOnly.peek() || mentionsName(message.content, settings.name.peek());
      if (!isWanted) return;
      if (settings.sound.peek()) playSound();
      if (!settings.notifications.peek() || notificationPermission() !== 'granted') return;
      count += 1;
      void notify(state, message, count);
    }),
  );
  return () => cleanUp.dispose();
}

async function notify(
  { texts, attachments, instance }: AppState,
  { author, content }: MessageEntry,
  count: number,
): Promise<void> {
  const words = texts.catalogue.peek().shell.notification;
  const body = notificationBody(attachments.split(content), words);
  const name = shownName(author);
  const server = instance.info.instance_name;
  const many = words.newMessages(texts.formats.peek().count(count));
  await show(count === 1 ? `${name} · ${server}` : `${many} · ${server}`, {
    body: count === 1 ? body : `${name}: ${body}`,
    tag: TAG,
    lang: texts.language.peek(),
    icon: new URL('icon-192.png', document.baseURI).href,
  });
}

/** The notification that the page shows without a service worker. */
let shown: Notification | undefined;

async function show(title: string, options: NotificationOptions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) {
    // Phones have them only through the service worker, which also handles the click.
    await registration.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  shown = notification;
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
}

async function closeNotifications(): Promise<void> {
  shown?.close();
  shown = undefined;
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const each of (await registration?.getNotifications({ tag: TAG })) ?? []) each.close();
}
