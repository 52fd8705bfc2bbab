import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAccountText } from '../use-account-text.ts';

interface RowProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** What the button does; without it, there is nothing to change. */
  readonly action?: string | undefined;
  readonly look?: 'danger';
  readonly isOpen?: boolean;
  readonly onToggle?: () => void;
  /** How to change it, shown while it is open. */
  readonly children?: ComponentChildren;
}

/** Something about the account, and a button that unfolds how to change it. */
export function SettingsRow(props: RowProps) {
  const { label, value, action, look, isOpen = false, onToggle, children } = props;
  const { settings: words } = useAccountText();
  const id = useId();
  return (
    <section class="settings-row" aria-labelledby={id}>
      <div class="settings-row-head">
        <div>
          <h4 id={id}>{label}</h4>
          <div>{value}</div>
        </div>
        {action !== undefined && (
          <button
            type="button"
            class={look === 'danger' && !isOpen ? 'button button-danger-quiet' : 'button'}
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {isOpen ? words.cancel : action}
          </button>
        )}
      </div>
      {isOpen && <RowBody>{children}</RowBody>}
    </section>
  );
}

/** Comes into view when it is unfolded, and when another step needs more room. */
function RowBody({ children }: { readonly children: ComponentChildren }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    let height = 0;
    const observer = new ResizeObserver(() => {
      const { clientHeight } = element;
      if (clientHeight > height) element.parentElement?.scrollIntoView({ block: 'nearest' });
      height = clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={body} class="settings-row-body">
      {children}
    </div>
  );
}
