import type { FileData } from '@hearth/sdk';
import { useFormats, useText } from '../../text/use-text.ts';
import { AttachmentNote, WaitingNote } from './attachment-note.tsx';
import { FileCard } from './file-card.tsx';
import type { PictureBox } from './picture-box.ts';
import { LargePictureError } from './read-file.ts';
import { shownFileName } from './shown-file-name.ts';
import { useState } from 'preact/hooks';
import { useAttachments } from './use-attachments.ts';

interface PictureProps {
  readonly data: FileData;
  /** The room that it takes. */
  readonly box: PictureBox;
}

/** A picture in the room reserved for it; a click enlarges it. */
export function Picture({ data, box }: PictureProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const formats = useFormats();
  const [isBroken, setIsBroken] = useState(false);
  const load = attachments.content(data.id).value;
  const name = shownFileName(data);
  if (isBroken) return <FileCard data={data} />;
  if (load.state === 'ready') {
    return (
      <button
        type="button"
        class="picture"
        style={box}
        aria-label={text.open(name)}
        onClick={() => {
          attachments.enlarged.value = data.id;
        }}
      >
        <img
          src={load.objectUrl}
          alt={text.picture(name)}
          decoding="async"
          onError={() => setIsBroken(true)}
        />
      </button>
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
