import { useEffect, useRef } from 'preact/hooks';
import type { AppState } from './state.ts';
import { listenToKeys } from '../ui/own-keys.ts';

/** Opens the quick switcher with Ctrl+K, and goes to the unread places before and after this one with Alt and the arrows. */
export function useFrameKeys(state: AppState, onSwitch: () => void): void {
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
      // Without the columns, nothing shows what is unread.
      goToUnread(state, step).catch(() => {});
    };
    return listenToKeys(onKeyDown);
  }, [state]);
}

async function goToUnread(
  { router, communities, lobby, views }: AppState,
  step: 1 | -1,
): Promise<void> {
  const { nextUnread } = await views.load('frame', { isOptional: true });
  const { place } = router.visit.peek();
  const isLobbyUnread = lobby.messages.unread.peek() > 0;
  const path = nextUnread(communities, { place, step, isLobbyUnread });
  if (path !== undefined) router.go(path);
}
