import { useMemo } from 'preact/hooks';
import { shownSize, type FileData } from '@hearth/sdk';
import { FileCard } from '../../conversation/attachments/file-card.tsx';
import { Picture } from '../../conversation/attachments/picture.tsx';
import {
  inTile,
  roomOf,
  styleOf,
  tileOf,
  tileStyleOf,
} from '../../conversation/attachments/picture-box.ts';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useViews } from '../../lib/views.ts';
import { usePostText } from '../use-post-text.ts';
import { useFormats } from '../../text/use-text.ts';
import { PostLightbox } from './post-lightbox.tsx';

/** The files of a post: its pictures as a gallery, and the others below. */
export function PostFiles({ files }: { readonly files: readonly FileData[] }) {
  const words = usePostText();
  const formats = useFormats();
  const attachments = useAttachments();
  useMemo(() => attachments.learn(files), [attachments, files]);
  const pictures = files.filter((file) => isPicture(file));
  const others = files.filter((file) => !isPicture(file));
  return (
    <>
      {pictures.length > 0 && (
        <div
          class="attachments post-gallery"
          role="group"
          aria-label={words.gallery(formats.count(pictures.length))}
          data-many={pictures.length > 1 || undefined}
        >
          {pictures.map((file) => (
            <GalleryPicture key={file.id} file={file} isTile={pictures.length > 1} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <div class="attachments">
          {others.map((file) => (
            <OtherFile key={file.id} file={file} />
          ))}
        </div>
      )}
      <PostLightbox ids={pictures.map(({ id }) => id)} />
    </>
  );
}

function GalleryPicture({ file, isTile }: { readonly file: FileData; readonly isTile: boolean }) {
  const size = shownSize(file) ?? { width: 4, height: 3 };
  const tile = isTile ? tileOf(size) : undefined;
  const room = tile ?? roomOf(size, 'picture');
  const box = tile === undefined ? styleOf(room) : inTile(tile);
  return (
    <div
      class="attachment"
      data-tile={tile !== undefined || undefined}
      style={tile && tileStyleOf(tile)}
    >
      <Picture data={file} room={room} box={box} />
    </div>
  );
}

function OtherFile({ file }: { readonly file: FileData }) {
  const { type } = file.metadata;
  const views = useViews('later', type === 'video' || type === 'text');
  const size = shownSize(file);
  if (views !== undefined && type === 'video' && size !== undefined) {
    return <views.Video data={file} box={styleOf(roomOf(size, 'video'))} />;
  }
  if (views !== undefined && type === 'text') return <views.TextPreview data={file} />;
  return <FileCard data={file} />;
}

function isPicture({ metadata }: FileData): boolean {
  return metadata.type === 'image';
}
