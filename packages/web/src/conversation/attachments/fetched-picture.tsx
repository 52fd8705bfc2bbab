import type { FileData } from '@hearth/sdk';
import { useState } from 'preact/hooks';
import { useFormats, useText } from '../../text/use-text.ts';
import { AttachmentNote, WaitingNote } from './attachment-note.tsx';
import { EnlargeButton } from './enlarge-button.tsx';
import { FileCard } from './file-card.tsx';
import type { PictureBox } from './picture-box.ts';
import { LargePictureError } from './read-file.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

interface FetchedPictureProps {
  readonly data: FileData;
  readonly box: PictureBox;
  /** The version that is fetched; the whole file if undefined. */
  readonly size: number | undefined;
}

/** A picture that the client fetches, because the instance serves none for pages, or the browser could not fetch it. */
export function FetchedPicture({ data, box, size }: FetchedPictureProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const formats = useFormats();
  const [isBroken, setIsBroken] = useState(false);
  const load = attachments.content(data.id, size).value;
  if (isBroken) return <FileCard data={data} />;
  if (load.state === 'ready') {
    return (
      <EnlargeButton data={data} box={box}>
        <img
          src={load.objectUrl}
          alt={text.picture(shownFileName(data, text))}
          decoding="async"
          onError={() => setIsBroken(true)}
        />
      </EnlargeButton>
    );
  }
  if (load.state === 'failed' && load.error instanceof LargePictureError) {
    return (
      <div class="attachment-box" style={box}>
        <p>{text.largePicture(formats.size(load.error.sizeBytes))}</p>
        <button type="button" class="button" onClick={() => attachments.loadLarge(data.id)}>
          {text.showAnyway}
        </button>
      </div>
    );
  }
  if (load.state === 'missing' || load.state === 'failed') {
    return <AttachmentNote id={data.id} load={load} />;
  }
  return (
    <div class="attachment-box skeleton" style={box}>
      {load.state === 'waiting' && <WaitingNote untilMs={load.untilMs} />}
      {load.state === 'loading' && load.sizeBytes !== undefined && load.receivedBytes > 0 && (
        <progress
          class="picture-progress"
          aria-label={text.loading}
          value={load.receivedBytes}
          max={load.sizeBytes}
        />
      )}
    </div>
  );
}
