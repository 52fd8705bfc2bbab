import { useEffect } from 'preact/hooks';
import { listenToKeys } from './own-keys.ts';

/** Ctrl+F opens the page's own search, unless something covers the page. Without `open`, the key is the browser's own. */
export function useFindKey(open: (() => void) | undefined): void {
  useEffect(() => {
    if (open === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
      if (!isFind || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    };
    return listenToKeys(onKeyDown);
  }, [open]);
}
