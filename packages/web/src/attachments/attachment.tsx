import type { FileData } from '@hearth/sdk';
import { useApp } from '../app-state.ts';
import { HiddenIcon } from '../lobby/view-icons.tsx';
import { useText } from '../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { FileCard } from './file-card.tsx';
import { boxOf } from './picture-box.ts';
import { Picture } from './picture.tsx';
import { shownFileName } from './shown-file-name.ts';
import { TextPreview } from './text-preview.tsx';
import { useInView } from './use-in-view.ts';
import { Video } from './video.tsx';

/** A file of the instance, shown as what it is; nothing is asked for before it is near to the reader's view. */
export function Attachment({ id }: { readonly id: string }) {
  const [ref, isInView] = useInView<HTMLDivElement>();
  return (
    <div class="attachment" ref={ref}>
      {isInView ? <Known id={id} /> : <div class="attachment-box skeleton" />}
    </div>
  );
}

function Known({ id }: { readonly id: string }) {
  const { attachments } = useApp();
  const data = attachments.data(id).value;
  if (data.state !== 'ready') return <AttachmentNote id={id} load={data} />;
  return data.data.spoiler === true ? <Spoiler data={data.data} /> : <Content data={data.data} />;
}

function Content({ data }: { readonly data: FileData }) {
  switch (data.metadata.type) {
    case 'image':
      return <Picture data={data} size={data.metadata} />;
    case 'video':
      return <Video data={data} size={data.metadata} />;
    case 'text':
      return <TextPreview data={data} />;
    case 'other':
      return <FileCard data={data} />;
  }
}

/** What is hidden is not even fetched. */
function Spoiler({ data }: { readonly data: FileData }) {
  const { attachments } = useApp();
  const { attachments: text } = useText();
  const name = shownFileName(data);
  if (!attachments.revealed.value.has(data.id)) {
    const { metadata } = data;
    const kind = metadata.type === 'video' ? 'video' : 'picture';
    const style = 'width' in metadata ? boxOf(metadata, kind) : undefined;
    return (
      <button
        type="button"
        class="attachment-box spoiler"
        style={style}
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
      <Content data={data} />
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
