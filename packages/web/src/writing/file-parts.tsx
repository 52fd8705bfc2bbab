import { useState } from 'preact/hooks';
import { useInstance } from '../instance/use-instance.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { FileIcon } from '../ui/icons.tsx';
import type { PickedFile, Refusal } from './upload.ts';

/** A preview of a file, if it is a picture. */
export function FileThumbnail({ file }: { readonly file: PickedFile }) {
  const { previewUrl, isSpoiler } = file;
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span class={isSpoiler ? 'thumbnail thumbnail-spoiler' : 'thumbnail'}>
      {previewUrl === undefined || isBroken ? (
        <FileIcon />
      ) : (
        <img src={previewUrl} alt="" onError={() => setIsBroken(true)} />
      )}
    </span>
  );
}

/** Shows how much of a file is uploaded. */
export function UploadProgress({
  step,
  name,
}: Pick<PickedFile, 'step'> & { readonly name: string }) {
  const { composer: words } = useText();
  const percent = percentOf(step);
  return (
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
  );
}

function percentOf(step: PickedFile['step']): number {
  switch (step.state) {
    case 'queued':
      return 0;
    case 'uploading':
      return Math.floor((step.sentBytes / Math.max(1, step.totalBytes)) * 100);
    case 'done':
      return 100;
  }
}

/** Says why a file was refused. */
export function useRefusalText(mostFiles: number): (refusal: Refusal) => string {
  const { info } = useInstance();
  const { composer: words } = useText();
  const formats = useFormats();
  return ({ reason, name, sizeBytes }) => {
    switch (reason) {
      case 'empty':
        return words.fileEmpty(name);
      case 'too_many':
        return words.fileTooMany(name, formats.count(mostFiles));
      case 'too_big': {
        const most = formats.size(info.attachment_file_size);
        return words.fileTooBig(name, formats.size(sizeBytes), most);
      }
    }
  };
}
