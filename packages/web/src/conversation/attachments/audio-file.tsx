import type { FileData } from '@hearth/sdk';
import { useText } from '../../text/use-text.ts';
import { FileCard } from './file-card.tsx';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';
import { usePlayer } from './use-player.ts';

/** An audio file, with the browser's own player. */
export function AudioFile({ data }: { readonly data: FileData }) {
  const { media } = useAttachments();
  const { attachments: text } = useText();
  const { element, phase, on } = usePlayer<HTMLAudioElement>(data.id);
  return (
    <div class="audio-file">
      <FileCard data={data} />
      {phase !== 'broken' && (
        <audio
          ref={element}
          class="audio-player"
          src={media.url(data.id)}
          aria-label={text.audio(shownFileName(data, text))}
          controls
          preload={media.isServed ? 'metadata' : 'none'}
          {...on}
        />
      )}
      {phase === 'waiting' && (
        <p class="attachment-note" role="status">
          {text.videoWaiting}
        </p>
      )}
      {phase === 'broken' && (
        <p class="attachment-note" role="status">
          {text.audioFailed}
        </p>
      )}
    </div>
  );
}
