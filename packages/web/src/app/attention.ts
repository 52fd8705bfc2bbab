import { notificationPermission } from '../settings/notification-permission.ts';
import { Sound } from '../settings/sound.ts';
import type { Router } from './router.ts';

/** The content of a notification. */
export interface Notice {
  readonly title: string;
  readonly options: NotificationOptions & { readonly tag: string };
  /** The place to which a click leads; without it, to the page as it is. */
  readonly path?: string;
}

/** The means by which the browser gets the attention of a reader who looks elsewhere. */
export interface Attention {
  readonly isHidden: () => boolean;
  /** Calls `listener` when the reader looks at the page or away; returns a function that stops it. */
  readonly onLook: (listener: () => void) => () => void;
  readonly playSound: () => void;
  readonly mayNotify: () => boolean;
  /** Shows a notification in place of the one before it that has the same tag. */
  readonly notify: (notice: Notice) => Promise<void>;
  readonly closeNotification: (tag: string) => Promise<void>;
}

/** That of the browser; clicks lead to places of `router`. */
export function attentionOfBrowser(router: Pick<Router, 'go' | 'placeAt' | 'urlOf'>): Attention {
  const sound = new Sound();
  /** The notifications that the page shows without a service worker, by their tags. */
  const shown = new Map<string, Notification>();
  const open = (path: unknown) => {
    if (typeof path !== 'string' || router.placeAt(router.urlOf(path)) === undefined) return;
    router.go(path);
  };
  // The service worker has focused this page.
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null) open(Reflect.get(data, 'open'));
  });
  return {
    isHidden: () => document.hidden,
    onLook(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    playSound: () => sound.play(),
    mayNotify: () => notificationPermission() === 'granted',
    async notify({ title, options: given, path }) {
      const icon = new URL('icon-192.png', document.baseURI).href;
      const options = { ...given, icon, data: { path } };
      const registration = await navigator.serviceWorker?.getRegistration();
      if (registration?.active) {
        // Phones have them only through the service worker, which also handles the click.
        await registration.showNotification(title, options);
        return;
      }
      const notification = new Notification(title, options);
      shown.set(given.tag, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        open(path);
      });
    },
    async closeNotification(tag) {
      shown.get(tag)?.close();
      shown.delete(tag);
      const registration = await navigator.serviceWorker?.getRegistration();
      for (const each of (await registration?.getNotifications({ tag })) ?? []) each.close();
    },
  };
}
