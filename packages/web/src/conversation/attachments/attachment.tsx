import type { FileData } from '@hearth/sdk';
import { HiddenIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { FileCard } from './file-card.tsx';
import { boxOf, tileOf } from './picture-box.ts';
import { Picture } from './picture.tsx';
import { shownFileName } from './shown-file-name.ts';
import { TextPreview } from './text-preview.tsx';
import { useInView } from './use-in-view.ts';
import { Video } from './video.tsx';
import { useAttachments } from './use-attachments.ts';

interface AttachmentProps {
  readonly id: string;
  /** A picture stands next to others. */
  readonly isTile: boolean;
}

/** A file of the instance, shown by its kind. Nothing is requested before it is close to the visible area. */
export function Attachment({ id, isTile }: AttachmentProps) {
  const [ref, isInView] = useInView<HTMLDivElement>();
  return (
    <div class="attachment" ref={ref}>
      {isInView ? <Known id={id} isTile={isTile} /> : <div class="attachment-box skeleton" />}
    </div>
  );
}

function Known({ id, isTile }: AttachmentProps) {
  const attachments = useAttachments();
  const data = attachments.data(id).value;
  if (data.state !== 'ready') return <AttachmentNote id={id} load={data} />;
  const View = data.data.spoiler === true ? Spoiler : Content;
  return <View data={data.data} isTile={isTile} />;
}

interface KnownProps {
  readonly data: FileData;
  readonly isTile: boolean;
}

function Content({ data, isTile }: KnownProps) {
  switch (data.metadata.type) {
    case 'image':
      return <Picture data={data} box={isTile ? tileOf(data.metadata) : boxOf(data.metadata)} />;
    case 'video':
      return <Video data={data} size={data.metadata} />;
    case 'text':
      return <TextPreview data={data} />;
    case 'other':
      return <FileCard data={data} />;
  }
}

/** A hidden file is not even fetched. */
function Spoiler({ data, isTile }: KnownProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const name = shownFileName(data);
  if (!attachments.revealed.value.has(data.id)) {
    return (
      <button
        type="button"
        class="attachment-box spoiler"
        style={boxOfHidden({ data, isTile })}
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
      <Content data={data} isTile={isTile} />
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

function boxOfHidden({ data: { metadata }, isTile }: KnownProps) {
  switch (metadata.type) {
    case 'image':
      return isTile ? tileOf(metadata) : boxOf(metadata);
    case 'video':
      return boxOf(metadata, 'video');
    case 'text':
    case 'other':
      return undefined;
  }
}
