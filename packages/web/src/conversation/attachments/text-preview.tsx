import type { FileData } from '@hearth/sdk';
import { useState } from 'preact/hooks';
import { useHighlight } from '../markdown/use-highlight.ts';
import { useScrollFocus } from '../../ui/use-scroll-focus.ts';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { TEXT_BYTES } from './attachments.ts';
import { FileCard } from './file-card.tsx';
import { endingOf } from './file-kind.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

const FIRST_LINES = 6;

/** The first lines of a text file, and all of it on request. */
export function TextPreview({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const [isAll, setIsAll] = useState(false);
  const first = attachments.text(data.id, TEXT_BYTES.first).value;
  const all = isAll ? attachments.text(data.id, TEXT_BYTES.more).value : undefined;
  const load = all?.state === 'ready' ? all : first;
  if (load.state !== 'ready') {
    return (
      <div class="text-file">
        <FileCard data={data} />
        <AttachmentNote id={data.id} load={load} />
      </div>
    );
  }
  const isShown = all?.state === 'ready';
  const lines = load.text.trimEnd().split('\n');
  const isShort = load.isWhole && lines.length <= FIRST_LINES;
  return (
    <div class="text-file">
      <FileCard data={data} />
      <Beginning
        label={text.textPreview(shownFileName(data, text))}
        language={endingOf(data.name) ?? ''}
        text={isShown || isShort ? load.text : lines.slice(0, FIRST_LINES).join('\n')}
      />
      {!isShort && (
        <button
          type="button"
          class="text-button"
          aria-expanded={isAll}
          onClick={() => setIsAll(!isAll)}
        >
          {isAll ? text.showLess : text.showAll}
        </button>
      )}
      {all !== undefined && all.state !== 'ready' && <AttachmentNote id={data.id} load={all} />}
      {all?.state === 'ready' && !all.isWhole && <p class="attachment-note">{text.cutOff}</p>}
    </div>
  );
}

interface BeginningProps {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

function Beginning({ label, language, text }: BeginningProps) {
  const scroller = useScrollFocus();
  const code = useHighlight(text, language);
  return (
    <pre ref={scroller} class="text-beginning" dir="auto" role="group" aria-label={label}>
      <code key={`${language} ${text}`} ref={code}>
        {text}
      </code>
    </pre>
  );
}
