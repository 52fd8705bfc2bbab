import { useEffect, useState } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { AttachIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import type { Uploads } from '../../writing/uploads.ts';

/** Accepts files dropped anywhere on the page, and says so while they are dragged over it. */
export function DropZone() {
  const { uploads } = useConversation();
  const { composer: words } = useText();
  const isOver = useDroppedFiles(uploads);
  if (!isOver) return null;
  return (
    <div class="drop-zone" aria-hidden="true">
      <p>
        <AttachIcon />
        {words.drop}
      </p>
    </div>
  );
}

function useDroppedFiles(uploads: Uploads): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const off = new AbortController();
    const { signal } = off;
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    // Otherwise the browser would open the file in place of the page.
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      uploads.pick(event.dataTransfer?.files ?? []);
    };
    document.addEventListener('dragenter', enter, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => off.abort();
  }, [uploads]);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
