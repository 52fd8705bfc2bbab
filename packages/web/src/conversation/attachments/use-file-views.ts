import { useEffect } from 'preact/hooks';
import type { FileViews } from './file-view-types.ts';
import { useAttachments } from './use-attachments.ts';
import { loadPart } from '../../lib/load-part.ts';

/** What shows files that are no pictures, loaded with the first of them; undefined until then. */
export function useFileViews(isWanted: boolean): FileViews | undefined {
  const { fileViews } = useAttachments();
  const isNeeded = isWanted && fileViews.value === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    void loadPart('later.ts', () => import('../../later.ts')).then(({ fileViews: loaded }) => {
      fileViews.value = loaded;
    });
  }, [fileViews, isNeeded]);
  return isWanted ? fileViews.value : undefined;
}
