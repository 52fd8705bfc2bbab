import { useTimeLeft } from '../../ui/use-time-left.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import type { Load } from './watched-loads.ts';
import { useAttachments } from './use-attachments.ts';

interface AttachmentNoteProps {
  readonly id: string;
  readonly load: Exclude<Load<object>, { readonly state: 'ready' }>;
}

/** Shows a note for a file that is not there, or not yet. */
export function AttachmentNote({ id, load }: AttachmentNoteProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  switch (load.state) {
    case 'loading':
      return (
        <div class="attachment-box skeleton">
          <span class="visually-hidden">{text.loading}</span>
        </div>
      );
    case 'waiting':
      return (
        <div class="attachment-box">
          <WaitingNote untilMs={load.untilMs} />
        </div>
      );
    case 'missing':
      return <p class="attachment-note">{text.missing}</p>;
    case 'failed':
      return (
        <p class="attachment-note">
          {text.failed}{' '}
          <button type="button" class="text-button" onClick={() => attachments.retry(id)}>
            {text.tryAgain}
          </button>
        </p>
      );
  }
}

/** Shows how long the server's limit has to be waited for. */
export function WaitingNote({ untilMs }: { readonly untilMs: number }) {
  const { attachments: text } = useText();
  const formats = useFormats();
  const leftMs = useTimeLeft(untilMs);
  return <p class="attachment-waiting">{text.waiting(formats.duration(leftMs))}</p>;
}
