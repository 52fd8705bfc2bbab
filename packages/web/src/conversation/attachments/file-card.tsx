import type { FileData } from '@hearth/sdk';
import { DownloadIcon, FileIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

/** A file by name, to download. */
export function FileCard({ data }: { readonly data: FileData }) {
  const { attachments: text } = useText();
  const name = shownFileName(data);
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toUpperCase();
  const kind = data.metadata.type === 'text' ? text.kindText : text.kindOther;
  return (
    <div class="file-card">
      <FileIcon />
      <div class="file-words">
        <bdi class="file-name" title={name}>
          {name}
        </bdi>
        <span class="file-kind">{ending === undefined ? kind : `${kind} · ${ending}`}</span>
      </div>
      <DownloadLink data={data} />
    </div>
  );
}

/** A link that downloads a file's content and never opens it here. */
export function DownloadLink({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const name = shownFileName(data);
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
