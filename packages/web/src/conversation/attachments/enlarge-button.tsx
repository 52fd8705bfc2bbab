import type { FileData } from '@hearth/sdk';
import type { ComponentChildren } from 'preact';
import { useText } from '../../text/use-text.ts';
import type { PictureBox } from './picture-box.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

interface EnlargeButtonProps {
  readonly data: FileData;
  readonly box: PictureBox;
  readonly children: ComponentChildren;
}

/** A picture that opens large. */
export function EnlargeButton({ data, box, children }: EnlargeButtonProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  return (
    <button
      type="button"
      class="picture"
      style={box}
      aria-label={text.open(shownFileName(data, text))}
      onClick={() => {
        attachments.enlarged.value = data.id;
      }}
    >
      {children}
    </button>
  );
}
