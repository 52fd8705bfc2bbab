import { computed, effect } from '@preact/signals';
import type { AppState } from './state.ts';

const ICON_PIXELS = 64;
const DOT = '#e5484d';

/** Marks the installed app and the icon of the tab while there are unread messages; returns a function that stops it. */
export function startBadges({
  lobby,
  communities,
}: Pick<AppState, 'lobby' | 'communities'>): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const plain = link?.href;
  const count = computed(() => lobby.messages.unread.value + communities.concerns.value);
  let marked: Promise<string | undefined> | undefined;
  return effect(() => {
    const unread = count.value;
    void badgeApp(unread);
    if (link === null || plain === undefined) return;
    if (unread === 0) {
      link.href = plain;
      return;
    }
    marked ??= markedIcon(plain);
    void marked.then((icon) => {
      if (icon !== undefined && count.peek() > 0) link.href = icon;
    });
  });
}

async function badgeApp(unread: number): Promise<void> {
  try {
    await (unread === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(unread));
  } catch {
    // Only an installed page has a badge.
  }
}

/** The icon at `url` with a dot, as a data URL; undefined if it cannot be drawn. */
async function markedIcon(url: string): Promise<string | undefined> {
  const image = new Image(ICON_PIXELS, ICON_PIXELS);
  image.src = url;
  const canvas = document.createElement('canvas');
  canvas.width = ICON_PIXELS;
  canvas.height = ICON_PIXELS;
  const context = canvas.getContext('2d');
  try {
    await image.decode();
    if (context === null) return undefined;
    context.drawImage(image, 0, 0, ICON_PIXELS, ICON_PIXELS);
    context.beginPath();
    context.arc(48, 16, 15, 0, 2 * Math.PI);
    context.fillStyle = DOT;
    context.fill();
    context.lineWidth = 3;
    context.strokeStyle = '#ffffff';
    context.stroke();
    return canvas.toDataURL();
  } catch {
    return undefined;
  }
}
