import { useRef } from 'preact/hooks';
import { MOST_MESSAGE_ATTACHMENTS } from '@hearth/protocol';
import { MOST_ALT_CHARACTERS } from '@hearth/protocol/schemas';
import { useFailureText } from '../../communities/describe-failure.ts';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useText } from '../../text/use-text.ts';
import { AttachIcon, CloseIcon, FileIcon } from '../../ui/icons.tsx';
import { FileThumbnail, UploadProgress, useRefusalText } from '../../writing/file-parts.tsx';
import type { Upload } from '../../writing/upload.ts';
import type { Uploads } from '../../writing/uploads.ts';
import type { DraftFile } from './post-draft.ts';
import { shownFileName } from '../../conversation/attachments/shown-file-name.ts';
import { useWritingText } from './use-writing-text.ts';

interface FilesProps {
  readonly files: readonly DraftFile[];
  readonly uploads: Uploads;
  readonly problem: string | undefined;
  readonly onChange: (files: readonly DraftFile[]) => void;
}

/** The files of a post with their descriptions, those on their way, and those that were refused. */
export function FilesField({ files, uploads, problem, onChange }: FilesProps) {
  const words = useWritingText();
  const input = useRef<HTMLInputElement>(null);
  const isFull = files.length + uploads.sending.value.length >= MOST_MESSAGE_ATTACHMENTS;
  return (
    <fieldset class="write-part">
      <legend>{words.files}</legend>
      {files.length + uploads.sending.value.length > 0 && (
        <ul class="write-files">
          {files.map((file, at) => (
            <Attached
              key={file.id}
              file={file}
              onChange={(alt) => onChange(files.with(at, { ...file, alt }))}
              onRemove={() => onChange(files.toSpliced(at, 1))}
            />
          ))}
          {uploads.sending.value.map((upload) => (
            <OnItsWay key={upload.key} upload={upload} uploads={uploads} />
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
          uploads.upload(currentTarget.files ?? [], files.length);
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

interface OnItsWayProps {
  readonly upload: Upload;
  readonly uploads: Uploads;
}

function OnItsWay({ upload: { key, files, at }, uploads }: OnItsWayProps) {
  const words = useWritingText();
  const { attachments } = useText();
  const describe = useFailureText();
  return files.map((file) => {
    const name = shownFileName(file.file, attachments);
    return (
      <li key={file.key} class="write-file">
        <FileThumbnail file={file} />
        <div class="write-file-words">
          <bdi class="chip-name">{name}</bdi>
          {at.state === 'failed' ? (
            <p class="problem" role="alert">
              {describe(at.error)}
            </p>
          ) : (
            <UploadProgress step={file.step} name={name} />
          )}
        </div>
        {at.state === 'failed' && (
          <button type="button" class="button" onClick={() => uploads.retry(key)}>
            {words.again}
          </button>
        )}
        <button
          type="button"
          class="icon-button"
          aria-label={words.removeFile(name)}
          onClick={() => uploads.drop(key)}
        >
          <CloseIcon />
        </button>
      </li>
    );
  });
}

interface RefusedProps {
  readonly uploads: Uploads;
  readonly problem: string | undefined;
}

function Refused({ uploads, problem }: RefusedProps) {
  const sentence = useRefusalText(uploads.mostFiles);
  return (
    <div role="alert">
      {problem !== undefined && <p class="problem">{problem}</p>}
      {uploads.refused.value.map((refusal) => (
        <p key={refusal.key} class="problem">
          {sentence(refusal)}
        </p>
      ))}
    </div>
  );
}
