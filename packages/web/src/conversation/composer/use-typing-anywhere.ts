import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { listenToKeys } from '../../ui/own-keys.ts';

const TAKES_KEYS =
  'input, textarea, select, [contenteditable], dialog, audio, video, [role="menu"]';

/** Keys with a meaning of their own outside of text boxes: space scrolls and presses, ? lists the shortcuts. */
const OTHER_KEYS = [' ', '?'];

/** Passes what is typed anywhere else on the page to the message box. */
export function useTypingAnywhere(box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isText = Array.from(key).length === 1 && !OTHER_KEYS.includes(key);
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (!isText || hasModifier || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(TAKES_KEYS) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      // The browser then enters the character there.
      box.current?.focus({ preventScroll: true });
    };
    return listenToKeys(onKeyDown);
  }, [box]);
}
