import { shownSize, type FileData } from '@hearth/sdk';
import { HiddenIcon } from '../../ui/icons.tsx';
import { useMemo } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { FileCard } from './file-card.tsx';
import { isAudio } from './file-kind.ts';
import type { AttachmentData } from './attachments.ts';
import {
  inTile,
  roomOf,
  styleOf,
  tileOf,
  tileStyleOf,
  type PictureBox,
  type PixelSize,
} from './picture-box.ts';
import { Picture } from './picture.tsx';
import { placeholderUrl } from './placeholder.ts';
import { shownFileName } from './shown-file-name.ts';
import { useViews } from '../../lib/views.ts';
import { useInView } from './use-in-view.ts';
import { useConversation } from '../use-conversation.ts';
import { useAttachments } from './use-attachments.ts';

interface AttachmentProps {
  readonly id: string;
  /** A picture stands next to others. */
  readonly isTile: boolean;
}

/** A file of the instance, shown by its kind. Nothing is requested before it is close to the visible area. */
export function Attachment({ id, isTile }: AttachmentProps) {
  const attachments = useAttachments();
  const { kept } = useConversation();
  const [ref, isInView] = useInView<HTMLDivElement>();
  // Until the history arrives, it is not known how the instance serves files.
  const isKept = kept.sinceMs.value !== undefined;
  const isNear = isInView && (!isKept || attachments.local(id) !== undefined);
  const isKnown = isNear || attachments.known(id) !== undefined || attachments.isMissing(id);
  const load = isKnown ? attachments.data(id).value : undefined;
  const tile = isTile && load?.state === 'ready' ? tileFor(load.data) : undefined;
  return (
    <div
      class="attachment"
      ref={ref}
      data-tile={tile !== undefined || undefined}
      style={tile && tileStyleOf(tile)}
    >
      {load === undefined ? (
        <div class="attachment-box skeleton" />
      ) : (
        <Known id={id} load={load} isTile={isTile} isNear={isNear} />
      )}
    </div>
  );
}

interface NearProps {
  readonly isTile: boolean;
  /** It is close to the visible area, or was, and can be shown. */
  readonly isNear: boolean;
}

interface KnownProps extends NearProps {
  readonly id: string;
  readonly load: AttachmentData;
}

function Known({ id, load, ...rest }: KnownProps) {
  if (load.state !== 'ready') return <AttachmentNote id={id} load={load} />;
  const View = load.data.spoiler === true ? Spoiler : Content;
  return <View data={load.data} {...rest} />;
}

interface ContentProps extends NearProps {
  readonly data: FileData;
}

function Content({ data, isTile, isNear }: ContentProps) {
  const room = roomFor(data, isTile);
  const { type } = data.metadata;
  const hasView = room === undefined ? type === 'text' || isAudio(data) : type === 'video';
  const views = useViews('later', isNear && hasView);
  if (room !== undefined) {
    if (isNear && type === 'image') return <Picture data={data} {...room} />;
    if (views === undefined) return <EmptyBox data={data} box={room.box} />;
    return <views.Video data={data} box={room.box} />;
  }
  if (views === undefined) return <FileCard data={data} />;
  return type === 'text' ? <views.TextPreview data={data} /> : <views.AudioFile data={data} />;
}

/** The place of a picture or video that is not shown yet, with the placeholder that needs no request. */
function EmptyBox({ data, box }: { readonly data: FileData; readonly box: PictureBox }) {
  const under = useMemo(() => placeholderUrl(data.placeholder), [data]);
  return (
    <div class="attachment-box picture" style={box}>
      {under !== undefined && <img class="picture-under" src={under} alt="" />}
    </div>
  );
}

/** A hidden file is not even fetched, and its placeholder is not shown. */
function Spoiler({ data, isTile, isNear }: ContentProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const name = shownFileName(data, text);
  const room = roomFor(data, isTile);
  if (!attachments.revealed.value.has(data.id)) {
    return (
      <button
        type="button"
        class="attachment-box spoiler"
        style={room?.box}
        aria-label={text.reveal(name)}
        onClick={() => attachments.reveal(data.id, true)}
      >
        <span class="spoiler-label">
          <HiddenIcon />
          {text.spoiler}
        </span>
      </button>
    );
  }
  return (
    <>
      <Content data={data} isTile={isTile} isNear={isNear} />
      <button
        type="button"
        class="text-button"
        aria-label={text.hideNamed(name)}
        onClick={() => attachments.reveal(data.id, false)}
      >
        {text.hide}
      </button>
    </>
  );
}

interface Room {
  readonly room: PixelSize;
  readonly box: PictureBox;
}

/** The room of a picture or video; other files have none before they are loaded. */
function roomFor(data: FileData, isTile: boolean): Room | undefined {
  const tile = isTile ? tileFor(data) : undefined;
  if (tile !== undefined) return { room: tile, box: inTile(tile) };
  const size = shownSize(data);
  if (size === undefined) return undefined;
  const room = roomOf(size, data.metadata.type === 'image' ? 'picture' : 'video');
  return { room, box: styleOf(room) };
}

/** The room of a picture next to others. */
function tileFor(data: FileData): PixelSize | undefined {
  const size = shownSize(data);
  return size === undefined || data.metadata.type !== 'image' ? undefined : tileOf(size);
}
