import { shownSize, type FileData } from '@hearth/sdk';
import { useState } from 'preact/hooks';
import { EnlargeButton } from './enlarge-button.tsx';
import { FetchedPicture } from './fetched-picture.tsx';
import { LayeredPicture } from './layered-picture.tsx';
import { coveringSide, type PictureBox, type PixelSize } from './picture-box.ts';
import { useAttachments } from './use-attachments.ts';

interface PictureProps {
  readonly data: FileData;
  /** The room that it takes. */
  readonly room: PixelSize;
  readonly box: PictureBox;
}

/** A picture in the room reserved for it; a click enlarges it. */
export function Picture({ data, room, box }: PictureProps) {
  const { media } = useAttachments();
  const [hasFailed, setHasFailed] = useState(false);
  const size = media.sizeFor(coveringSide(shownSize(data) ?? room, room));
  // A browser gives up on a limit. The client waits for it, and knows why a picture cannot be shown.
  if (size === undefined || hasFailed) return <FetchedPicture data={data} box={box} size={size} />;
  return (
    <EnlargeButton data={data} box={box}>
      <LayeredPicture data={data} size={size} onError={() => setHasFailed(true)} />
    </EnlargeButton>
  );
}
