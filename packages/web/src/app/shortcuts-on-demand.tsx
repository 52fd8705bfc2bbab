import type { ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { loadPart } from '../lib/load-part.ts';
import { listenToKeys } from '../ui/own-keys.ts';

interface DialogProps {
  readonly onClose: () => void;
}

/** Shows the list of shortcuts when the reader presses `?` outside of text boxes. */
export function ShortcutsOnDemand() {
  const [View, setView] = useState<ComponentType<DialogProps> | undefined>(undefined);
  const close = useCallback(() => setView(undefined), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || isWriting(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      void loadPart('later.ts', () => import('../later.ts')).then(({ Shortcuts }) =>
        setView(() => Shortcuts),
      );
    };
    return listenToKeys(onKeyDown);
  }, []);
  return View === undefined ? null : <View onClose={close} />;
}

/** Whether keys belong to a text box. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
