import type { FileData } from '@hearth/sdk';
import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { useAttachments } from './use-attachments.ts';
import { BackIcon, CloseIcon, ForthIcon, ZoomIcon } from '../../ui/icons.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { useText } from '../../text/use-text.ts';
import { DownloadLink } from './file-card.tsx';
import { LargePicture } from './large-picture.tsx';
import { nextPicture } from './next-picture.ts';
import { PictureGestures } from './picture-gestures.ts';
import { shownFileName } from './shown-file-name.ts';
import { roomIn, useGestures } from './use-gestures.ts';
import { ownKeys } from '../../ui/own-keys.ts';

/** A click elsewhere closes it. */
const NOT_BESIDE = '.large-picture, .lightbox-bar, .attachment-note';

/** The large picture, if one is open. */
export function Lightbox() {
  const attachments = useAttachments();
  const { messages } = useShownPart();
  useEffect(
    () => messages.onRemoval(({ content }) => attachments.closeEnlarged(content)),
    [attachments, messages],
  );
  const id = attachments.enlarged.value;
  const data = id === undefined ? undefined : attachments.data(id).value;
  return data?.state === 'ready' ? <LightboxDialog data={data.data} /> : null;
}

/** A picture of the messages that are shown, which leads to the ones before and after it. */
function LightboxDialog({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { kept } = useConversation();
  const { messages } = useShownPart();
  const { entries } = messages.isLive ? kept : messages;
  const close = useCallback(() => {
    attachments.enlarged.value = undefined;
  }, [attachments]);
  const go = useCallback(
    (step: 1 | -1) => {
      const next = nextPicture({ attachments, entries }, data.id, step);
      if (next !== undefined) attachments.enlarged.value = next;
    },
    [attachments, entries, data.id],
  );
  return <PictureDialog data={data} onClose={close} onGo={go} />;
}

interface PictureDialogProps {
  readonly data: FileData;
  readonly onClose: () => void;
  readonly onGo: (step: 1 | -1) => void;
}

/** A picture over the whole page. */
export function PictureDialog({ data, onClose: close, onGo: go }: PictureDialogProps) {
  const { attachments: text } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  // Another picture is shown whole.
  const gestures = useMemo(
    () => new PictureGestures({ room: () => roomIn(stage.current), go }),
    [go],
  );
  useModal(dialog, close, gestures);
  useBack(close);
  useGestures(stage, gestures);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDialogElement>) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && gestures.key(event.key)) event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      data-theme="dark"
      aria-label={text.large(shownFileName(data, text))}
      onClose={close}
      onKeyDown={ownKeys(onKeyDown)}
    >
      <div ref={stage} class="lightbox-picture">
        <LargePicture key={data.id} data={data} gestures={gestures} />
      </div>
      <LightboxBar data={data} gestures={gestures} onClose={close} onGo={go} />
    </dialog>
  );
}

/** Opens the dialog over the page, and closes it by a click beside the picture. */
function useModal(
  dialog: { readonly current: HTMLDialogElement | null },
  close: () => void,
  gestures: PictureGestures,
): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useLayoutEffect(() => {
    const element = dialog.current;
    const closeBeside = ({ target }: MouseEvent) => {
      const isBeside = target instanceof Element && target.closest(NOT_BESIDE) === null;
      if (isBeside && !latest.current.hasMoved) close();
    };
    element?.showModal();
    element?.addEventListener('click', closeBeside);
    return () => {
      element?.removeEventListener('click', closeBeside);
      // If it closes while it is still in the document, the focus returns to where it was.
      element?.close();
    };
  }, [dialog, close]);
}

/** Closes the picture when the reader goes back. */
function useBack(close: () => void): void {
  const covers = useCovers();
  useEffect(() => covers.cover(close), [covers, close]);
}

interface LightboxBarProps {
  readonly data: FileData;
  readonly gestures: PictureGestures;
  readonly onClose: () => void;
  readonly onGo: (step: 1 | -1) => void;
}

function LightboxBar({ data, gestures, onClose, onGo }: LightboxBarProps) {
  const { attachments: text } = useText();
  return (
    <div class="lightbox-bar">
      <bdi class="lightbox-name" role="status">
        {shownFileName(data, text)}
      </bdi>
      <button type="button" class="icon-button" aria-label={text.before} onClick={() => onGo(-1)}>
        <BackIcon />
      </button>
      <button type="button" class="icon-button" aria-label={text.after} onClick={() => onGo(1)}>
        <ForthIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={text.zoom}
        aria-pressed={gestures.zoom.value.scale > 1}
        onClick={() => gestures.toggle()}
      >
        <ZoomIcon />
      </button>
      <DownloadLink data={data} />
      <button type="button" class="icon-button" aria-label={text.close} onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  );
}
