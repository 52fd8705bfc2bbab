import type { FileData } from '@hearth/sdk';
import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useAttachments } from './use-attachments.ts';
import { BackIcon, CloseIcon, ForthIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { DownloadLink } from './file-card.tsx';
import { nextPicture } from './next-picture.ts';
import { shownFileName } from './shown-file-name.ts';

/** A click elsewhere closes it. */
const NOT_BESIDE = 'img, .lightbox-bar, .attachment-note';

/** The large picture, if one is open. */
export function Lightbox() {
  const attachments = useAttachments();
  const id = attachments.enlarged.value;
  const data = id === undefined ? undefined : attachments.data(id).value;
  return data?.state === 'ready' ? <LightboxDialog data={data.data} /> : null;
}

function LightboxDialog({ data }: { readonly data: FileData }) {
  const attachments = useAttachments();
  const { messages } = useConversation();
  const { attachments: text } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const content = attachments.content(data.id).value;
  const name = shownFileName(data);
  const close = useCallback(() => {
    attachments.enlarged.value = undefined;
  }, [attachments]);
  useLayoutEffect(() => {
    const element = dialog.current;
    const closeBeside = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(NOT_BESIDE) === null) close();
    };
    element?.showModal();
    element?.addEventListener('click', closeBeside);
    return () => {
      element?.removeEventListener('click', closeBeside);
      // If it closes while it is still in the document, the focus returns to where it was.
      element?.close();
    };
  }, [close]);
  const go = (step: 1 | -1) => {
    attachments.enlarged.value = nextPicture({ attachments, messages }, data.id, step) ?? data.id;
  };
  const onKeyDown = ({ key }: TargetedKeyboardEvent<HTMLDialogElement>) => {
    if (key === 'ArrowLeft') go(-1);
    else if (key === 'ArrowRight') go(1);
  };
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={text.large(name)}
      onClose={close}
      onKeyDown={onKeyDown}
    >
      <div class="lightbox-picture">
        {content.state === 'ready' ? (
          <img key={data.id} src={content.objectUrl} alt={text.picture(name)} />
        ) : (
          <AttachmentNote id={data.id} load={content} />
        )}
      </div>
      <LightboxBar data={data} onClose={close} onGo={go} />
    </dialog>
  );
}

interface LightboxBarProps {
  readonly data: FileData;
  readonly onClose: () => void;
  readonly onGo: (step: 1 | -1) => void;
}

function LightboxBar({ data, onClose, onGo }: LightboxBarProps) {
  const { attachments: text } = useText();
  return (
    <div class="lightbox-bar">
      <bdi class="lightbox-name" role="status">
        {shownFileName(data)}
      </bdi>
      <button type="button" class="icon-button" aria-label={text.before} onClick={() => onGo(-1)}>
        <BackIcon />
      </button>
      <button type="button" class="icon-button" aria-label={text.after} onClick={() => onGo(1)}>
        <ForthIcon />
      </button>
      <DownloadLink data={data} />
      <button type="button" class="icon-button" aria-label={text.close} onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  );
}
