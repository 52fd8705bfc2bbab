import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAccountText } from '../use-account-text.ts';
import { bringIntoView } from '../../lib/bring-into-view.ts';

interface RowProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** The name of the button; without it, there is nothing to change. */
  readonly action?: string | undefined;
  readonly look?: 'danger';
  readonly isOpen?: boolean;
  readonly onToggle?: () => void;
  /** The form to change it, shown while it is open. */
  readonly children?: ComponentChildren;
}

/** Something about the account, and a button that unfolds how to change it. */
export function SettingsRow(props: RowProps) {
  const { label, value, action, look, isOpen = false, onToggle, children } = props;
  const { settings: words } = useAccountText();
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <section class="settings-row" aria-labelledby={id}>
      <div class="settings-row-head">
        <div>
          <h4 id={id}>{label}</h4>
          <div>{value}</div>
        </div>
        {action !== undefined && (
          <button
            ref={toggle}
            type="button"
            class={look === 'danger' && !isOpen ? 'button button-danger-quiet' : 'button'}
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {isOpen ? words.cancel : action}
          </button>
        )}
      </div>
      {isOpen && <RowBody toggle={toggle}>{children}</RowBody>}
    </section>
  );
}

interface BodyProps {
  /** Gets the focus back when it is folded. */
  readonly toggle: RefObject<HTMLButtonElement | null>;
  readonly children: ComponentChildren;
}

/** Comes into view when it is unfolded, and when another step needs more room. */
function RowBody({ toggle, children }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = body.current;
    const button = toggle.current;
    if (element === null) return undefined;
    let height = 0;
    const observer = new ResizeObserver(() => {
      const { clientHeight } = element;
      if (clientHeight > height) bringIntoView(element.parentElement ?? element);
      height = clientHeight;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      // A button that was disabled while its form was sent has lost the focus to the page.
      const focused = document.activeElement;
      if (focused === document.body || element.contains(focused)) button?.focus();
    };
  }, [toggle]);
  return (
    <div ref={body} class="settings-row-body">
      {children}
    </div>
  );
}
