import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useText } from '../text/use-text.ts';
import { CloseIcon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  /** True if it takes the room for several columns. */
  readonly isWide?: boolean;
  /** Controls beside its title. */
  readonly tools?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page while it is drawn; on phones, a sheet at the bottom. Escape closes it. */
export function Dialog({ title, isWide = false, tools, onClose, children }: DialogProps) {
  const text = useText();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    closeOnClickBeside(element);
    element.showModal();
    // If it closes while it is still in the document, the focus returns to where it was.
    return () => {
      isGone.current = true;
      element.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onClose={(event) => {
        // Not for one inside of it, and not after it is gone: it may have been opened again.
        if (event.target === event.currentTarget && !isGone.current) onClose();
      }}
      closedby="any"
    >
      <div class="dialog-frame">
        <div class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {tools}
          <button
            type="button"
            class="icon-button"
            aria-label={text.shell.dialog.close}
            onClick={() => dialog.current?.close()}
          >
            <CloseIcon />
          </button>
        </div>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  );
}

/** Does what `closedby` does, in browsers that do not know it. */
function closeOnClickBeside(dialog: HTMLDialogElement): void {
  if (Reflect.has(dialog, 'closedBy')) return;
  dialog.addEventListener('click', ({ target, clientX, clientY }) => {
    // A click on the backdrop is one on the dialog.
    if (target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (!isInside) dialog.close();
  });
}
