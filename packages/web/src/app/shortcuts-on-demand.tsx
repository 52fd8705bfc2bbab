import { useCallback, useEffect, useState } from 'preact/hooks';
import { useViews } from '../lib/views.ts';
import { listenToKeys } from '../ui/own-keys.ts';

/** Shows the list of shortcuts when the reader presses `?` outside of text boxes. */
export function ShortcutsOnDemand() {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const views = useViews('later', isOpen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || isWriting(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setIsOpen(true);
    };
    return listenToKeys(onKeyDown);
  }, []);
  return !isOpen || views === undefined ? null : <views.Shortcuts onClose={close} />;
}

/** Returns whether keys belong to a text box. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
