import { useEffect } from 'preact/hooks';
import type { Uploads } from '../../writing/uploads.ts';

/** Adds files that are pasted anywhere on the page, if the reader may attach some. */
export function usePastedFiles(uploads: Uploads, mayAttach: boolean): void {
  useEffect(() => {
    if (!mayAttach) return undefined;
    const paste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // Tables, for example, come as text together with a picture of themselves.
      const hasText = clipboardData?.types.includes('text/plain') ?? false;
      if (clipboardData === null || clipboardData.files.length === 0 || hasText) return;
      event.preventDefault();
      uploads.pick(clipboardData.files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [uploads, mayAttach]);
}
