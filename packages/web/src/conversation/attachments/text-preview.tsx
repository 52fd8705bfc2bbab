import type { FileData } from '@hearth/sdk';
import { useState } from 'preact/hooks';
import { useScrollFocus } from '../../ui/use-scroll-focus.ts';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { TEXT_BYTES } from './attachments.ts';
import { FileCard } from './file-card.tsx';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

const FIRST_LINES = 20;

/** The beginning of a text file, and more on request. */
export function TextPreview({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const [isMore, setIsMore] = useState(false);
  const scroller = useScrollFocus();
  const first = attachments.text(data.id, TEXT_BYTES.first).value;
  const more = isMore ? attachments.text(data.id, TEXT_BYTES.more).value : undefined;
  const load = more?.state === 'ready' ? more : first;
  if (load.state !== 'ready') {
    return (
      <div class="text-file">
        <FileCard data={data} />
        <AttachmentNote id={data.id} load={load} />
      </div>
    );
  }
  const lines = load.text.split('\n');
  const isShort = isMore || lines.length <= FIRST_LINES;
  const shown = isShort ? load.text : lines.slice(0, FIRST_LINES).join('\n');
  const hasMore = !isMore && (!load.isWhole || !isShort);
  return (
    <div class="text-file">
      <FileCard data={data} />
      <pre
        ref={scroller}
        class="text-beginning"
        dir="auto"
        role="group"
        aria-label={text.textPreview(shownFileName(data))}
      >
        {shown}
      </pre>
      {hasMore && (
        <button type="button" class="text-button" onClick={() => setIsMore(true)}>
          {text.showMore}
        </button>
      )}
      {more !== undefined && more.state !== 'ready' && <AttachmentNote id={data.id} load={more} />}
      {more?.state === 'ready' && !more.isWhole && <p class="attachment-note">{text.cutOff}</p>}
    </div>
  );
}
