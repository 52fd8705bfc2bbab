import type { FileData } from '@hearth/sdk';
import { useState } from 'preact/hooks';
import { PlayIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { FileCard } from './file-card.tsx';
import type { PictureBox } from './picture-box.ts';
import { clockTime } from './clock-time.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';
import { usePlayer } from './use-player.ts';

interface VideoProps {
  readonly data: FileData;
  /** The room that it takes. */
  readonly box: PictureBox;
}

/** A video. Before it is played, its beginning is fetched for its first frame and its duration. */
export function Video({ data, box }: VideoProps) {
  const { media } = useAttachments();
  const { attachments: text } = useText();
  const { element, phase, start, on } = usePlayer<HTMLVideoElement>(data.id);
  const [duration, setDuration] = useState<string>();
  const [hasFrame, setHasFrame] = useState(false);
  const name = shownFileName(data, text);
  if (phase === 'broken') {
    return (
      <>
        <p class="attachment-note" role="status">
          {text.videoFailed}
        </p>
        <FileCard data={data} />
      </>
    );
  }
  return (
    <div class="attachment-box video" style={box} data-frame={hasFrame || undefined}>
      <video
        ref={element}
        src={media.url(data.id)}
        aria-label={text.video(name)}
        controls={phase === 'started'}
        playsInline
        preload={media.isServed ? 'metadata' : 'none'}
        onLoadedMetadata={({ currentTarget }) => setDuration(clockTime(currentTarget.duration))}
        onLoadedData={() => setHasFrame(true)}
        {...on}
      />
      {phase === 'idle' && (
        <button
          type="button"
          class="video-poster"
          aria-label={text.play(name, duration)}
          onClick={start}
        >
          <span class="video-play">
            <PlayIcon />
          </span>
          <bdi class="video-name">{name}</bdi>
          {duration !== undefined && <span class="video-duration">{duration}</span>}
        </button>
      )}
      {phase === 'waiting' && (
        <p class="video-poster" role="status">
          {text.videoWaiting}
        </p>
      )}
    </div>
  );
}
