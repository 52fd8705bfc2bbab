import type { FileData } from '@hearth/sdk';
import { useMemo, useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { placeholderUrl } from './placeholder.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

interface LayeredPictureProps {
  readonly data: FileData;
  /** The version that is shown. */
  readonly size: number;
  readonly onError: () => void;
}

/**
 * A picture in one of the instance's sizes, over what is there at once: the file itself if it was uploaded here, a smaller
 * version that was shown before, or the blurred placeholder.
 */
export function LayeredPicture({ data, size, onError }: LayeredPictureProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const { media } = attachments;
  const url = media.url(data.id, size);
  const under = useMemo(
    () =>
      attachments.local(data.id) ?? media.shownVersion(data.id) ?? placeholderUrl(data.placeholder),
    [attachments, media, data],
  );
  // What comes from the browser's cache does not fade in again.
  const [wasShown] = useState(() => media.wasShown(url));
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <>
      {under !== undefined && <img class="picture-under" src={under} alt="" draggable={false} />}
      <img
        class="picture-front"
        data-fades={!wasShown || undefined}
        data-loaded={isLoaded || undefined}
        src={url}
        alt={text.picture(shownFileName(data, text))}
        decoding="async"
        draggable={false}
        onLoad={() => {
          media.markShown(url);
          setIsLoaded(true);
        }}
        onError={onError}
      />
    </>
  );
}
