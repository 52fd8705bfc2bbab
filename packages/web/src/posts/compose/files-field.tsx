import { useRef } from 'preact/hooks';
import { MOST_MESSAGE_ATTACHMENTS } from '@hearth/protocol';
import { MOST_ALT_CHARACTERS } from '@hearth/protocol/schemas';
import { useFailureText } from '../../communities/describe-failure.ts';
import { FileThumbnail } from '../../conversation/uploads/picked-files.tsx';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { AttachIcon, CloseIcon, FileIcon } from '../../ui/icons.tsx';
import type { DraftUpload, DraftUploads } from './draft-uploads.ts';
import type { DraftFile } from './post-draft.ts';
import { shownFileName } from '../../conversation/attachments/shown-file-name.ts';
import { useWritingText } from './use-writing-text.ts';

interface FilesProps {
  readonly files: readonly DraftFile[];
  readonly uploads: DraftUploads;
  readonly problem: string | undefined;
  readonly onChange: (files: readonly DraftFile[]) => void;
}

/** The files of a post with their descriptions, those on their way, and those that were refused. */
export function FilesField({ files, uploads, problem, onChange }: FilesProps) {
  const words = useWritingText();
  const input = useRef<HTMLInputElement>(null);
  const isFull = files.length + uploads.files.value.length >= MOST_MESSAGE_ATTACHMENTS;
  return (
    <fieldset class="write-part">
      <legend>{words.files}</legend>
      {files.length + uploads.files.value.length > 0 && (
        <ul class="write-files">
          {files.map((file, at) => (
            <Attached
              key={file.id}
              file={file}
              onChange={(alt) => onChange(files.with(at, { ...file, alt }))}
              onRemove={() => onChange(files.toSpliced(at, 1))}
            />
          ))}
          {uploads.files.value.map((file) => (
            <OnItsWay key={file.key} file={file} uploads={uploads} />
          ))}
        </ul>
      )}
      <Refused uploads={uploads} problem={problem} />
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        // The button next to it is the one that assistive technology finds.
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          uploads.pick(currentTarget.files ?? [], files.length);
          currentTarget.value = '';
        }}
      />
      <div class="write-row">
        <button
          type="button"
          class="button"
          disabled={isFull}
          onClick={() => input.current?.click()}
        >
          <AttachIcon />
          {words.addFiles}
        </button>
        <p class="hint">{words.filesHint}</p>
      </div>
    </fieldset>
  );
}

interface AttachedProps {
  readonly file: DraftFile;
  readonly onChange: (alt: string) => void;
  readonly onRemove: () => void;
}

function Attached({ file: { data, alt }, onChange, onRemove }: AttachedProps) {
  const words = useWritingText();
  const name = shownFileName(data, useText().attachments);
  const attachments = useAttachments();
  attachments.learn([data]);
  const { media } = attachments;
  return (
    <li class="write-file">
      <span class="thumbnail">
        {data.metadata.type === 'image' ? (
          <img src={media.url(data.id, media.sizeFor(64))} alt="" />
        ) : (
          <FileIcon />
        )}
      </span>
      <div class="write-file-words">
        <bdi class="chip-name">{name}</bdi>
        <input
          class="text-field"
          aria-label={words.alt(name)}
          placeholder={words.altHint}
          maxLength={MOST_ALT_CHARACTERS}
          dir="auto"
          value={alt}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={words.removeFile(name)}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

function OnItsWay({
  file,
  uploads,
}: {
  readonly file: DraftUpload;
  readonly uploads: DraftUploads;
}) {
  const words = useWritingText();
  const describe = useFailureText();
  const { step, key } = file;
  const { size } = file.file;
  const name = shownFileName(file.file, useText().attachments);
  const sent = step.state === 'uploading' ? step.sentBytes / Math.max(1, step.totalBytes) : 0;
  const percent = Math.floor(sent * 100);
  const hasFailed = 'error' in file;
  return (
    <li class="write-file" data-size={size}>
      <FileThumbnail file={file} />
      <div class="write-file-words">
        <bdi class="chip-name">{name}</bdi>
        {hasFailed ? (
          <p class="problem" role="alert">
            {describe(file.error)}
          </p>
        ) : (
          <div
            class="progress"
            role="progressbar"
            aria-label={words.uploading(name)}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <div style={{ inlineSize: `${percent}%` }} />
          </div>
        )}
      </div>
      {hasFailed && (
        <button type="button" class="button" onClick={() => uploads.retry(key)}>
          {words.again}
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={words.removeFile(name)}
        onClick={() => uploads.remove(key)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

function Refused({
  uploads,
  problem,
}: {
  readonly uploads: DraftUploads;
  readonly problem: string | undefined;
}) {
  const { composer: words } = useText();
  const { info } = useInstance();
  const formats = useFormats();
  return (
    <div role="alert">
      {problem !== undefined && <p class="problem">{problem}</p>}
      {uploads.refused.value.map(({ key, name, reason, sizeBytes }) => (
        <p key={key} class="problem">
          {reason === 'empty' && words.fileEmpty(name)}
          {reason === 'too_many' &&
            words.fileTooMany(name, formats.count(MOST_MESSAGE_ATTACHMENTS))}
          {reason === 'too_big' &&
            words.fileTooBig(
              name,
              formats.size(sizeBytes),
              formats.size(info.attachment_file_size),
            )}
        </p>
      ))}
    </div>
  );
}
