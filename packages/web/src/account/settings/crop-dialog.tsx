import type {
  RefObject,
  TargetedKeyboardEvent,
  TargetedPointerEvent,
  TargetedWheelEvent,
} from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { useAccountText } from '../use-account-text.ts';
import { areaOf, FIRST_CROP, MOST_ZOOM, moved, settled, type Crop } from './crop.ts';
import { ownKeys } from '../../ui/own-keys.ts';

/** As large as the largest avatar on a screen of two pixels per CSS pixel, with room to grow. */
const SAVED_PIXELS = 512;

/** The distance by which an arrow key moves the picture, in parts of the frame. */
const STEP = 0.04;
const ZOOM_STEP = 0.1;
const WHEEL = 1.05;

interface CropProps {
  readonly picture: ImageBitmap;
  readonly onCropped: (picture: Blob) => void;
  readonly onClose: () => void;
}

/** Chooses the part of a picture that is shown in a circle. */
export function CropDialog({ picture, onCropped, onClose }: CropProps) {
  const { profile: words, settings } = useAccountText();
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>(FIRST_CROP);
  const change = (next: Crop) => setCrop(settled(next, picture));
  const gestures = {
    ...useDrag({ crop, picture, onMove: setCrop }),
    ...keysFor({ crop, picture, onMove: change }),
  };
  useDrawing(canvas, picture, crop);
  return (
    <Dialog title={words.cropTitle} onClose={onClose}>
      <div class="crop">
        <canvas
          ref={canvas}
          class="crop-picture"
          width={SAVED_PIXELS}
          height={SAVED_PIXELS}
          tabIndex={0}
          role="img"
          aria-label={words.cropLabel}
          aria-describedby={`${id}-hint`}
          {...gestures}
        />
        <label class="crop-zoom">
          <span>{words.zoom}</span>
          <input
            type="range"
            min={1}
            max={MOST_ZOOM}
            step="any"
            value={crop.zoom}
            onInput={(event) => change({ ...crop, zoom: event.currentTarget.valueAsNumber })}
          />
        </label>
        <p id={`${id}-hint`} class="hint">
          {words.cropHint}
        </p>
      </div>
      <div class="form-end">
        <button
          type="button"
          class="button button-primary"
          onClick={() => keepDrawing(canvas.current, onCropped)}
        >
          {words.cropSave}
        </button>
        <button type="button" class="button button-plain" onClick={onClose}>
          {settings.cancel}
        </button>
      </div>
    </Dialog>
  );
}

function keepDrawing(canvas: HTMLCanvasElement | null, onDrawn: (drawing: Blob) => void): void {
  const keep = (blob: Blob | null) => {
    if (blob !== null) onDrawn(blob);
  };
  // Browsers that cannot write this format write PNG.
  canvas?.toBlob(keep, 'image/webp', 0.9);
}

/** Moves and resizes the picture by keys, and resizes it by the wheel. */
function keysFor({ crop, picture, onMove }: Dragging) {
  return {
    onKeyDown: ownKeys((event: TargetedKeyboardEvent<HTMLCanvasElement>) => {
      const next = cropAfter(event.key, crop, picture);
      if (next === undefined) return;
      event.preventDefault();
      onMove(next);
    }),
    onWheel(event: TargetedWheelEvent<HTMLCanvasElement>) {
      event.preventDefault();
      onMove({ ...crop, zoom: crop.zoom * (event.deltaY < 0 ? WHEEL : 1 / WHEEL) });
    },
  };
}

function cropAfter(key: string, crop: Crop, picture: ImageBitmap): Crop | undefined {
  switch (key) {
    case 'ArrowLeft':
      return moved(crop, picture, { x: -STEP, y: 0 });
    case 'ArrowRight':
      return moved(crop, picture, { x: STEP, y: 0 });
    case 'ArrowUp':
      return moved(crop, picture, { x: 0, y: -STEP });
    case 'ArrowDown':
      return moved(crop, picture, { x: 0, y: STEP });
    case '+':
    case '=':
      return { ...crop, zoom: crop.zoom + ZOOM_STEP };
    case '-':
      return { ...crop, zoom: crop.zoom - ZOOM_STEP };
    default:
      return undefined;
  }
}

/** Draws the part of the picture that is kept. */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  picture: ImageBitmap,
  crop: Crop,
): void {
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    const { left, top, side } = areaOf(crop, picture);
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SAVED_PIXELS, SAVED_PIXELS);
    context.drawImage(picture, left, top, side, side, 0, 0, SAVED_PIXELS, SAVED_PIXELS);
  }, [canvas, picture, crop]);
}

interface Dragging {
  readonly crop: Crop;
  readonly picture: ImageBitmap;
  readonly onMove: (crop: Crop) => void;
}

/** Moves the picture with the pointer. */
function useDrag({ crop, picture, onMove }: Dragging) {
  const last = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const end = () => {
    last.current = undefined;
  };
  return {
    onPointerDown(event: TargetedPointerEvent<HTMLCanvasElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove(event: TargetedPointerEvent<HTMLCanvasElement>) {
      if (last.current === undefined) return;
      const { width } = event.currentTarget.getBoundingClientRect();
      const by = {
        x: (event.clientX - last.current.x) / width,
        y: (event.clientY - last.current.y) / width,
      };
      last.current = { x: event.clientX, y: event.clientY };
      onMove(moved(crop, picture, by));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
