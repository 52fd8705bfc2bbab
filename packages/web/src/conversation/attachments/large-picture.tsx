import { shownSize, type FileData } from '@hearth/sdk';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { LayeredPicture } from './layered-picture.tsx';
import type { PixelSize } from './picture-box.ts';
import type { PictureGestures } from './picture-gestures.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

interface LargePictureProps {
  readonly data: FileData;
  readonly gestures: PictureGestures;
}

/** A picture that fills the window: its largest version, and the file itself once the reader zooms in. */
export function LargePicture({ data, gestures }: LargePictureProps) {
  const { media } = useAttachments();
  const [hasFailed, setHasFailed] = useState(false);
  const size = media.sizes.at(-1);
  if (size === undefined || hasFailed) {
    return <Fetched data={data} gestures={gestures} size={size} />;
  }
  const { width, height } = sidesOf(data);
  const isWanted = gestures.zoom.value.scale > 1 && Math.max(width, height) > size;
  return (
    <Frame data={data} gestures={gestures}>
      <LayeredPicture data={data} size={size} onError={() => setHasFailed(true)} />
      {isWanted && <Original data={data} />}
    </Frame>
  );
}

/** The room of the picture, where fingers have moved it. */
function Frame({
  data,
  gestures,
  children,
}: LargePictureProps & { readonly children: ComponentChildren }) {
  const { width, height } = sidesOf(data);
  const { scale, x, y } = gestures.zoom.value;
  const swipe = gestures.swipe.value;
  return (
    <div
      class="large-picture"
      data-zoomed={scale > 1 || undefined}
      data-held={gestures.isHeld.value || undefined}
      style={{
        '--picture-width': `${width}px`,
        '--picture-ratio': `${width / height}`,
        transform: `translate(${x + swipe}px, ${y}px) scale(${scale})`,
      }}
    >
      {children}
    </div>
  );
}

/** The file itself, over its smaller version. Without it, the smaller version stays. */
function Original({ data }: { readonly data: FileData }) {
  const { media } = useAttachments();
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <img
      class="picture-original"
      data-loaded={isLoaded || undefined}
      src={media.url(data.id)}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={() => setIsLoaded(true)}
    />
  );
}

/** A picture that the client fetches, because the browser cannot. */
function Fetched({
  data,
  gestures,
  size,
}: LargePictureProps & { readonly size: number | undefined }) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const load = attachments.content(data.id, size).value;
  if (load.state !== 'ready') return <AttachmentNote id={data.id} load={load} />;
  return (
    <Frame data={data} gestures={gestures}>
      <img src={load.objectUrl} alt={text.picture(shownFileName(data, text))} draggable={false} />
    </Frame>
  );
}

function sidesOf(data: FileData): PixelSize {
  return shownSize(data) ?? { width: 1, height: 1 };
}
