import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PictureGestures } from './picture-gestures.ts';
import type { Point, ZoomRoom } from './zoom.ts';

/** The factor by which a wheel zooms with each pixel. */
const WHEEL = 0.002;

/** Passes on what fingers, the mouse and its wheel do in the room of a large picture. */
export function useGestures(stage: RefObject<HTMLElement | null>, gestures: PictureGestures): void {
  useEffect(() => {
    const { current } = stage;
    if (current === null) return undefined;
    const left = new AbortController();
    const options = { signal: left.signal };
    current.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button === 0) gestures.down(event.pointerId, pointOf(event, current));
      },
      options,
    );
    current.addEventListener(
      'pointermove',
      (event) => {
        // The button was released outside of the window.
        if (event.buttons === 0) gestures.cancel(event.pointerId);
        else gestures.move(event.pointerId, pointOf(event, current));
      },
      options,
    );
    current.addEventListener(
      'pointerup',
      (event) => gestures.up(event.pointerId, event.timeStamp),
      options,
    );
    current.addEventListener('pointercancel', (event) => gestures.cancel(event.pointerId), options);
    current.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        gestures.zoomBy(Math.exp(-event.deltaY * WHEEL), pointOf(event, current));
      },
      { ...options, passive: false },
    );
    return () => left.abort();
  }, [stage, gestures]);
}

/** The sizes of the room and of the picture in it, as it is without zoom. */
export function roomIn(stage: HTMLElement | null): ZoomRoom {
  const picture = stage?.querySelector<HTMLElement>('.large-picture');
  return {
    window: { width: stage?.clientWidth ?? 0, height: stage?.clientHeight ?? 0 },
    picture: { width: picture?.offsetWidth ?? 0, height: picture?.offsetHeight ?? 0 },
  };
}

function pointOf({ clientX, clientY }: MouseEvent, stage: HTMLElement): Point {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}
