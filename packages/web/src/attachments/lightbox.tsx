import type { FileData } from '@hearth/sdk';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../app-state.ts';
import { CloseIcon } from '../shell/icons.tsx';
import { useText } from '../text/use-text.ts';
import { AttachmentNote } from './attachment-note.tsx';
import { DownloadLink } from './file-card.tsx';
import { shownFileName } from './shown-file-name.ts';

/** A click elsewhere closes it. */
const NOT_BESIDE = 'img, .lightbox-bar, .attachment-note';

/** The picture that is shown large, if one is. */
export function Lightbox() {
  const { attachments } = useApp();
  const id = attachments.enlarged.value;
  const data = id === undefined ? undefined : attachments.data(id).value;
  return data?.state === 'ready' ? <LightboxDialog key={id} data={data.data} /> : null;
}

function LightboxDialog({ data }: { readonly data: FileData }) {
  const { attachments } = useApp();
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
      // Closed while it is still in the document, the focus goes back to where it was.
      element?.close();
    };
  }, [close]);
  return (
    <dialog ref={dialog} class="lightbox" aria-label={text.large(name)} onClose={close}>
      <div class="lightbox-picture">
        {content.state === 'ready' ? (
          <img src={content.objectUrl} alt={text.picture(name)} />
        ) : (
          <AttachmentNote id={data.id} load={content} />
        )}
      </div>
      <div class="lightbox-bar">
        <bdi class="lightbox-name">{name}</bdi>
        <DownloadLink data={data} />
        <button type="button" class="lightbox-close" aria-label={text.close} onClick={close}>
          <CloseIcon />
        </button>
      </div>
    </dialog>
  );
}
