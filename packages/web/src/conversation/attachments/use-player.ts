import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAttachments } from './use-attachments.ts';

/** The number of times that a file is loaded again before it counts as one that cannot be played. */
const MOST_TRIES = 3;

/** A longer answer had to wait for the limit, which was what kept the file from playing, too. */
const LIMITED_MS = 1_000;

/** `waiting`: the browser fetches the file by itself and gives up on a limit, so it has to start again. */
export type PlayerPhase = 'idle' | 'started' | 'waiting' | 'broken';

/** The state of a video or audio element. */
export interface PlayerState<Element extends HTMLMediaElement> {
  readonly element: RefObject<Element | null>;
  readonly phase: PlayerPhase;
  /** Starts to play, because the reader asked for it. */
  readonly start: () => void;
  /** The listeners to the element's events. */
  readonly on: { readonly onPlay: () => void; readonly onError: () => void };
}

/**
 * Plays a file in an element: no other plays at the same time, and if the browser gave up, the file is loaded again as
 * soon as the instance answers requests for it, a few times.
 */
export function usePlayer<Element extends HTMLMediaElement>(id: string): PlayerState<Element> {
  const attachments = useAttachments();
  const element = useRef<Element>(null);
  const tries = useRef(0);
  const [phase, setPhase] = useState<PlayerPhase>('idle');
  useEffect(() => {
    if (phase !== 'waiting') return undefined;
    const left = new AbortController();
    const beganMs = Date.now();
    const again = () => {
      if (left.signal.aborted) return;
      if (Date.now() - beganMs < LIMITED_MS) tries.current += 1;
      setPhase(tries.current < MOST_TRIES ? 'started' : 'broken');
    };
    attachments.available(id, { signal: left.signal }).then(again, again);
    return () => left.abort();
  }, [attachments, id, phase]);
  useEffect(() => {
    const { current } = element;
    if (phase === 'started' && current !== null) play(current);
  }, [phase]);
  useEffect(() => {
    const { current } = element;
    return () => {
      if (current !== null) attachments.player.leave(current);
    };
  }, [attachments]);
  return {
    element,
    phase,
    start: () => setPhase('started'),
    on: {
      onPlay: () => {
        if (element.current !== null) attachments.player.begin(element.current);
        setPhase('started');
      },
      // Nobody has asked for what is loaded in advance.
      onError: () => setPhase((now) => (now === 'started' ? 'waiting' : now)),
    },
  };
}

function play(element: HTMLMediaElement): void {
  if (element.error !== null) element.load();
  element.play().catch(() => {
    // Its error event reports what is wrong, or the browser wants the reader to start it.
  });
  // The button that started it is gone, and the focus with it.
  if (document.activeElement === document.body) element.focus();
}
