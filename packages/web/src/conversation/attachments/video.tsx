import type { FileData } from '@hearth/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PlayIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { FileCard } from './file-card.tsx';
import { boxOf, type PixelSize } from './picture-box.ts';
import { shownFileName } from './shown-file-name.ts';
import { useAttachments } from './use-attachments.ts';

/** How often a video is restarted before it counts as one that cannot be played. */
const MOST_TRIES = 3;

/** A longer answer had to wait for the limit, which was what kept the video from playing, too. */
const LIMITED_MS = 1_000;

/** `waiting`: the browser fetches a video by itself and gives up on a limit, so it has to start again. */
type Phase = 'idle' | 'playing' | 'waiting' | 'broken';

interface VideoProps {
  readonly data: FileData;
  readonly size: PixelSize;
}

/** A video. Nothing of it is fetched before it is played. */
export function Video({ data, size }: VideoProps) {
  const attachments = useAttachments();
  const { attachments: text } = useText();
  const [phase, setPhase] = useState<Phase>('idle');
  const player = useRef<HTMLVideoElement>(null);
  useBeginAgain(data.id, phase, setPhase);
  useEffect(() => {
    const { current } = player;
    if (phase !== 'playing' || current === null) return;
    current.load();
    current.play().catch(() => {
      // Its error event reports what is wrong, or the browser wants the reader to start it.
    });
    // The button that started it is gone, and the focus with it.
    if (document.activeElement === document.body) current.focus();
  }, [phase]);
  const name = shownFileName(data);
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
    <div class="attachment-box video" style={boxOf(size, 'video')}>
      <video
        ref={player}
        src={attachments.url(data.id)}
        aria-label={text.video(name)}
        controls={phase === 'playing'}
        playsInline
        preload="none"
        onError={() => setPhase('waiting')}
      />
      {phase === 'idle' && (
        <button
          type="button"
          class="video-poster"
          aria-label={text.play(name)}
          onClick={() => setPhase('playing')}
        >
          <span class="video-play">
            <PlayIcon />
          </span>
          <bdi class="video-name">{name}</bdi>
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

/** While a video waits: starts again as soon as the instance answers requests for it, a few times. */
function useBeginAgain(id: string, phase: Phase, setPhase: (phase: Phase) => void): void {
  const attachments = useAttachments();
  const tries = useRef(0);
  useEffect(() => {
    if (phase !== 'waiting') return undefined;
    const left = new AbortController();
    const beganMs = Date.now();
    const again = () => {
      if (left.signal.aborted) return;
      if (Date.now() - beganMs < LIMITED_MS) tries.current += 1;
      setPhase(tries.current < MOST_TRIES ? 'playing' : 'broken');
    };
    attachments.available(id, { signal: left.signal }).then(again, again);
    return () => left.abort();
  }, [attachments, id, phase, setPhase]);
}
