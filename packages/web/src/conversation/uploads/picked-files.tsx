import { useConversation } from '../use-conversation.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { shownFileName } from '../attachments/shown-file-name.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { FileThumbnail, useRefusalText } from '../../writing/file-parts.tsx';
import type { PickedFile, Refusal } from '../../writing/upload.ts';

/** The files for the next message, and those that were refused. */
export function PickedFiles() {
  const { uploads } = useConversation();
  const { composer: words } = useText();
  const picked = uploads.picked.value;
  return (
    <>
      <RefusedFiles refused={uploads.refused.value} />
      {picked.length > 0 && (
        <ul class="picked" aria-label={words.files}>
          {picked.map((file) => (
            <PickedFileChip key={file.key} picked={file} />
          ))}
        </ul>
      )}
    </>
  );
}

function PickedFileChip({ picked }: { readonly picked: PickedFile }) {
  const { uploads } = useConversation();
  const { composer: words, attachments } = useText();
  const formats = useFormats();
  const { key, file, isSpoiler } = picked;
  const name = shownFileName(file, attachments);
  return (
    <li class="chip">
      <FileThumbnail file={picked} />
      <div class="chip-words">
        <bdi class="chip-name" title={name}>
          {name}
        </bdi>
        <span class="chip-size">{formats.size(file.size)}</span>
      </div>
      <label class="chip-spoiler">
        <input
          type="checkbox"
          checked={isSpoiler}
          aria-label={words.spoilerHint(name)}
          onChange={(event) => uploads.setSpoiler(key, event.currentTarget.checked)}
        />
        <span>{words.spoiler}</span>
      </label>
      <button
        type="button"
        class="icon-button icon-button-small"
        aria-label={words.removeFile(name)}
        onClick={() => uploads.remove(key)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

function RefusedFiles({ refused }: { readonly refused: readonly Refusal[] }) {
  const { uploads, draft } = useConversation();
  const { composer: words } = useText();
  const sentence = useRefusalText(uploads.mostFiles);
  return (
    <div class={refused.length > 0 ? 'refused' : 'refused refused-none'}>
      <div role="alert">
        {refused.map((refusal) => (
          <p key={refusal.key}>{sentence(refusal)}</p>
        ))}
      </div>
      {refused.length > 0 && (
        <button
          type="button"
          class="icon-button icon-button-small"
          aria-label={words.dismiss}
          onClick={() => {
            uploads.forgetRefused();
            draft.resume();
          }}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
