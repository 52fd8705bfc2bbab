import { useConnection } from '../../connection/use-connection.ts';
import { useConversation } from '../use-conversation.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { describeError } from '../describe-error.ts';
import { shownFileName } from '../attachments/shown-file-name.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { withoutQuote } from '../reply-target.ts';
import { FileThumbnail, UploadProgress } from '../../writing/file-parts.tsx';
import type { PickedFile, Upload } from '../../writing/upload.ts';

/** Messages whose files are being uploaded. */
export function UploadingList() {
  const { uploads } = useConversation();
  const { composer: words } = useText();
  const messages = uploads.sending.value;
  if (messages.length === 0) return null;
  return (
    <ul class="uploads" aria-label={words.uploads}>
      {messages.map((message) => (
        <UploadingCard key={message.key} message={message} />
      ))}
    </ul>
  );
}

function UploadingCard({ message }: { readonly message: Upload }) {
  const conversation = useConversation();
  const { uploads, draft } = conversation;
  const text = useText();
  const formats = useFormats();
  const { composer: words } = text;
  const { key, at, files } = message;
  const written = withoutQuote(conversation, message.text);
  const hasFailed = at.state === 'failed';
  const retry = () => {
    uploads.retry(key);
    draft.resume();
  };
  return (
    <li class="upload">
      {written !== '' && <p class="upload-text">{written}</p>}
      <ul class="upload-files">
        {files.map((file) => (
          <UploadingFileRow key={file.key} file={file} />
        ))}
      </ul>
      {!hasFailed && <UploadingWait />}
      <p class="problem" role="alert">
        {hasFailed && describeError(at.error, text, formats)}
      </p>
      <div class="upload-actions">
        {hasFailed && (
          <button type="button" class="button" onClick={retry}>
            {words.retry}
          </button>
        )}
        <button
          type="button"
          class="button button-quiet"
          aria-label={words.cancelUploadLabel}
          onClick={() => uploads.cancel(key)}
        >
          {hasFailed ? words.editAgain : words.cancelUpload}
        </button>
      </div>
    </li>
  );
}

function UploadingWait() {
  const { uploads } = useConversation();
  const { isReachable } = useConnection();
  const { composer: words } = useText();
  const formats = useFormats();
  const leftMs = useTimeLeft(uploads.waitsUntilMs.value);
  if (!isReachable.value) return <p class="hint">{words.uploadHeld}</p>;
  return leftMs > 0 ? <p class="hint">{words.uploadWaits(formats.duration(leftMs))}</p> : null;
}

function UploadingFileRow({ file }: { readonly file: PickedFile }) {
  const { composer: words, attachments } = useText();
  const formats = useFormats();
  const name = shownFileName(file.file, attachments);
  const { step } = file;
  return (
    <li class="upload-file">
      <FileThumbnail file={file} />
      <div class="upload-file-words">
        <bdi class="chip-name">{name}</bdi>
        <span class="chip-size">
          {step.state === 'queued' && words.uploadQueued}
          {step.state === 'uploading' &&
            words.uploadOf(formats.size(step.sentBytes), formats.size(step.totalBytes))}
          {step.state === 'done' && words.uploadDone}
        </span>
        <UploadProgress step={step} name={name} />
      </div>
    </li>
  );
}
