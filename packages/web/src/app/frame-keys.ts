import { nextUnread } from '../communities/next-unread.ts';
import { useEffect, useRef } from 'preact/hooks';
import type { AppState } from './state.ts';
import { listenToKeys } from '../ui/own-keys.ts';

interface KeysProps {
  readonly state: AppState;
  readonly onSwitch: () => void;
}

/** Opens the quick switcher with Ctrl+K, and goes to the unread places before and after this one with Alt and the arrows. */
export function FrameKeys({ state, onSwitch }: KeysProps) {
  const latest = useRef(onSwitch);
  latest.current = onSwitch;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
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
      const step = key === 'ArrowDown' ? 1 : -1;
      goToUnread(state, step);
    };
    return listenToKeys(onKeyDown);
  }, [state]);
  return null;
}

function goToUnread({ router, communities, lobby }: AppState, step: 1 | -1): void {
  const { place } = router.visit.peek();
  const isLobbyUnread = lobby.messages.unread.peek() > 0;
  const path = nextUnread(communities, { place, step, isLobbyUnread });
  if (path !== undefined) router.go(path);
}
