import type { FileData } from '@hearth/sdk';
import { DownloadIcon, FileIcon } from '../../ui/icons.tsx';
import { useFormats, useText } from '../../text/use-text.ts';
import { endingOf, isAudio } from './file-kind.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

/** A file by name, kind and size, to download. */
export function FileCard({ data }: { readonly data: FileData }) {
  const { attachments: text } = useText();
  const name = shownFileName(data, text);
  return (
    <div class="file-card">
      <FileIcon />
      <div class="file-words">
        <bdi class="file-name" title={name}>
          {name}
        </bdi>
        <span class="file-kind">{useFacts(data)}</span>
      </div>
      <DownloadLink data={data} />
    </div>
  );
}

/** Kind, ending and size of a file, as far as they are known. */
function useFacts(data: FileData): string {
  const { attachments: text } = useText();
  const formats = useFormats();
  const kind = {
    text: text.kindText,
    image: text.kindImage,
    video: text.kindVideo,
    other: isAudio(data) ? text.kindAudio : text.kindOther,
  }[data.metadata.type];
  const size = data.size === undefined ? undefined : formats.size(data.size);
  return [kind, endingOf(data.name)?.toUpperCase(), size]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}

/** A link that downloads a file's content and never opens it here. */
export function DownloadLink({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const name = shownFileName(data, text);
  return (
    <a
      class="icon-button"
      href={attachments.url(data.id, { download: true })}
      download={data.name}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={text.downloadNamed(name)}
      title={text.download}
    >
      <DownloadIcon />
    </a>
  );
}
