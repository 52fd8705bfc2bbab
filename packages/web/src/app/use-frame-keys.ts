import { useEffect, useRef } from 'preact/hooks';
import { nextUnread } from '../communities/next-unread.ts';
import type { AppState } from './state.ts';

/** Opens the quick switcher with Ctrl+K, and goes to the unread places before and after this one with Alt and the arrows. */
export function useFrameKeys(state: AppState, onSwitch: () => void): void {
  const latest = useRef(onSwitch);
  latest.current = onSwitch;
  const { router, communities, lobby } = state;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      // What was entered there would be lost, and Alt with an arrow opens a list of choices.
      if (document.querySelector('dialog[open]') !== null) return;
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isCommand = (ctrlKey || metaKey) && !altKey && !shiftKey;
      if (isCommand && key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current();
        return;
      }
      const isArrow = key === 'ArrowUp' || key === 'ArrowDown';
      if (!altKey || ctrlKey || metaKey || shiftKey || !isArrow) return;
      event.preventDefault();
      const { place } = router.visit.peek();
      const path = nextUnread(communities, {
        place,
        step: key === 'ArrowDown' ? 1 : -1,
        isLobbyUnread: lobby.messages.unread.peek() > 0,
      });
      if (path !== undefined) router.go(path);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [router, communities, lobby]);
}
