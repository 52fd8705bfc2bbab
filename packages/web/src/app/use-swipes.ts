import { useRef } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { channelPath, communityPath, openingChannel } from '../communities/paths.ts';
import { isAtEdge, swipeOf, type SwipePoint } from '../ui/swipe.ts';
import type { Shown } from './shown-at.ts';
import type { AppState } from './state.ts';

/** As in the styles. */
const NARROW = '(max-width: 48rem)';

/** Elements that move sideways themselves, or are for drawing a finger over them. */
const OWN_MOVES = 'pre, table, input, textarea, audio, video, dialog, [data-keeps-swipes]';

/** Lets fingers go between the list of channels and a channel of a narrow page. */
export function useSwipes({ router, communities }: AppState, shown: Shown) {
  const start = useRef<SwipePoint | undefined>(undefined);
  const to = (swipe: 'left' | 'right'): string | undefined => {
    if (shown.view === 'lobby') return swipe === 'right' ? webPath('home', {}) : undefined;
    if (shown.view !== 'community') return undefined;
    const { slug, channelId } = shown;
    if (channelId !== undefined) return swipe === 'right' ? communityPath(slug) : undefined;
    if (swipe === 'right') return webPath('home', {});
    const own = communities.ownBySlug(slug);
    const last = own === undefined ? undefined : openingChannel(own, communities.kept);
    return last === undefined ? undefined : channelPath(slug, last);
  };
  return {
    onTouchStart: ({ touches, target, timeStamp }: TouchEvent) => {
      const [touch] = touches;
      const isOwn = target instanceof Element && target.closest(OWN_MOVES) !== null;
      const isOurs = touches.length === 1 && !isOwn;
      start.current =
        touch === undefined || !isOurs || isAtEdge(touch.clientX, innerWidth)
          ? undefined
          : { x: touch.clientX, y: touch.clientY, timeMs: timeStamp };
    },
    onTouchEnd: ({ changedTouches, timeStamp }: TouchEvent) => {
      const [touch] = changedTouches;
      const from = start.current;
      start.current = undefined;
      if (from === undefined || touch === undefined || !matchMedia(NARROW).matches) return;
      const swipe = swipeOf(from, { x: touch.clientX, y: touch.clientY, timeMs: timeStamp });
      const path = swipe === undefined ? undefined : to(swipe);
      if (path !== undefined) router.go(path);
    },
  };
}
